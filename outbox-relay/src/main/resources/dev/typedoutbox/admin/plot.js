// One plot of the last ten minutes, drawn as SVG.

import {clock, element} from './text.js';

const SVG = 'http://www.w3.org/2000/svg';
export const SPAN_MILLIS = 600_000;
const HEIGHT = 132;
const TOP = 14;
const BOTTOM = 20;
const STEPS = [1, 2, 5, 10];

export class Plot {
  #figure;
  #series;
  #format;
  #gapMillis;
  #whole;
  #svg = shape('svg', {role: 'img', class: 'plot-area'});
  #drawing = shape('g', {});
  #cursor = shape('line', {class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM, visibility: 'hidden'});
  #values;
  #empty = element('p', {className: 'plot-empty muted'});
  #width = 0;
  #points = [];
  #end = 0;
  #pointedAt;
  #highest = 0;

  /**
   * Series are [{name, kind, filled, hidesZero}]; a kind is a class of the style sheet. Points further apart than the gap
   * are not joined. Whole values have no lines between whole numbers.
   */
  constructor(figure, {series, format, gapMillis, whole = false}) {
    this.#figure = figure;
    this.#series = series;
    this.#format = format;
    this.#gapMillis = gapMillis;
    this.#whole = whole;
    this.#values = element('p', {className: 'plot-values'});
    figure.querySelector('figcaption').append(this.#values);
    this.#svg.append(this.#drawing, this.#cursor);
    figure.append(this.#svg, this.#empty);
    this.#svg.addEventListener('pointermove', event => this.#point(event));
    this.#svg.addEventListener('pointerleave', () => this.#point(undefined));
    new ResizeObserver(() => this.#redraw()).observe(figure);
  }

  /** Points are [[millis, value of the first series, of the second, ...]], a missing value being null. */
  draw(points, end) {
    this.#points = points.filter(([at]) => at >= end - SPAN_MILLIS);
    this.#end = end;
    this.#redraw();
  }

  /** Instead of a plot, a word on why there is none. */
  explain(text) {
    this.#empty.textContent = text;
    this.#figure.classList.toggle('is-empty', text !== '');
  }

  #redraw() {
    this.#width = this.#svg.clientWidth;
    if (this.#width === 0 || this.#end === 0) {
      return;
    }
    const highest = Math.max(0, ...this.#points.flatMap(([, ...values]) => values.map(value => value ?? 0)));
    const scale = scaleFor(highest, this.#whole);
    this.#svg.setAttribute('viewBox', `0 0 ${this.#width} ${HEIGHT}`);
    this.#drawing.replaceChildren(
        ...this.#grid(scale),
        ...this.#series.toReversed().flatMap((series, i) => this.#lines(this.#series.length - 1 - i, scale.top)));
    this.#tell(highest);
  }

  #grid({step, top}) {
    const lines = [];
    for (let value = 0; value <= top * 1.001; value += step) {
      const y = this.#y(value, top);
      lines.push(shape('line', {class: value === 0 ? 'axis' : 'grid', x1: 0, x2: this.#width, y1: y, y2: y}));
      if (value > 0) {
        lines.push(label(this.#format(value).replace('.0 ', ' '), {x: 0, y: y - 3}));
      }
    }
    const y = HEIGHT - 5;
    lines.push(label('10 min ago', {x: 0, y}), label('5 min', {x: this.#width / 2, y, 'text-anchor': 'middle'}),
        label('now', {x: this.#width, y, 'text-anchor': 'end'}));
    return lines;
  }

  /** The line, and for a filled series the area below it. */
  #lines(index, top) {
    const kind = this.#series[index].kind;
    const runs = this.#runs(index);
    const line = runs.map(run => 'M' + run.map(([at, value]) => this.#place(at, value, top)).join('L') + 'h0').join('');
    const paths = [shape('path', {class: `line ${kind}`, d: line})];
    if (this.#series[index].filled) {
      const base = this.#y(0, top);
      const areas = runs.map(run => `M${this.#x(run[0][0]).toFixed(1)} ${base}L`
          + run.map(([at, value]) => this.#place(at, value, top)).join('L')
          + `V${base}Z`);
      paths.unshift(shape('path', {class: `area ${kind}`, d: areas.join('')}));
    }
    return paths;
  }

  #runs(index) {
    const runs = [];
    let before = 0;
    for (const point of this.#points) {
      const value = point[index + 1];
      if (value === null || (value === 0 && this.#series[index].hidesZero)) {
        continue;
      }
      if (runs.length === 0 || point[0] - before > this.#gapMillis) {
        runs.push([]);
      }
      runs.at(-1).push([point[0], value]);
      before = point[0];
    }
    return runs;
  }

  #place(at, value, top) {
    return `${this.#x(at).toFixed(1)} ${this.#y(value, top).toFixed(1)}`;
  }

  #x(at) {
    return this.#width * (1 - (this.#end - at) / SPAN_MILLIS);
  }

  #y(value, top) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top;
  }

  #point(event) {
    this.#pointedAt = event && this.#end - SPAN_MILLIS * (1 - event.offsetX / this.#width);
    this.#tell();
  }

  /** The values at the pointer, else the last ones. */
  #tell(highest = this.#highest) {
    this.#highest = highest;
    const point = this.#pointedAt === undefined ? this.#points.at(-1) : this.#nearest(this.#pointedAt);
    this.#cursor.setAttribute('visibility', this.#pointedAt === undefined || !point ? 'hidden' : 'visible');
    if (point) {
      this.#cursor.setAttribute('x1', this.#x(point[0]));
      this.#cursor.setAttribute('x2', this.#x(point[0]));
    }
    const texts = this.#series.map(({name}, i) => ({name, text: this.#text(point?.[i + 1])}));
    this.#values.replaceChildren(
        ...texts.map(({name, text}, i) => element('span', {className: `key ${this.#series[i].kind}`}, `${name} ${text}`)),
        ...(this.#pointedAt === undefined || !point ? [] : [element('span', {className: 'muted'}, clock(point[0]))]));
    this.#svg.setAttribute('aria-label',
        texts.map(({name, text}) => `${name}: ${text}`).join(', ') + `; highest in ten minutes: ${this.#text(highest)}`);
  }

  #text(value) {
    return value === null || value === undefined ? '–' : this.#format(value);
  }

  #nearest(at) {
    return this.#points.reduce(
        (best, point) => best && Math.abs(best[0] - at) <= Math.abs(point[0] - at) ? best : point, undefined);
  }
}

/** Two to four lines at round numbers. */
function scaleFor(highest, whole) {
  if (highest <= 0) {
    return {step: 1, top: 2};
  }
  const power = 10 ** Math.floor(Math.log10(highest / 3));
  const exact = STEPS.map(factor => factor * power).find(candidate => candidate * 4 >= highest);
  const step = whole ? Math.max(1, exact) : exact;
  return {step, top: step * Math.ceil(highest / step)};
}

function label(text, attributes) {
  const node = shape('text', attributes);
  node.textContent = text;
  return node;
}

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  return node;
}
