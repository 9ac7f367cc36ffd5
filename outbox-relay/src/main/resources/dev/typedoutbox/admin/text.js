// Everything that the page shows goes through here and into textContent: names, ids and errors are other people's text.

const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const UNSEEN_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const NUMBER = new Intl.NumberFormat('en');
const TIME = new Intl.DateTimeFormat('en-GB', {dateStyle: 'medium', timeStyle: 'medium'});
const CLOCK = new Intl.DateTimeFormat('en-GB', {timeStyle: 'medium'});
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DEEPEST_INDENT = 20;

/** Characters that cannot be seen, or that turn the direction of others, become visible escapes. */
export function visible(text) {
  return String(text).replace(UNSEEN, escaped);
}

export function visibleLines(text) {
  return String(text).replace(UNSEEN_BUT_LINES, escaped);
}

function escaped(character) {
  return '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0');
}

export function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

export function number(value) {
  return NUMBER.format(value);
}

export function count(bounded) {
  return number(bounded.value) + (bounded.exact ? '' : '+');
}

export function plural(value, one, many) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export function rate(value) {
  return value < 10 && value > 0 ? value.toFixed(1) : number(Math.round(value));
}

export function millis(value) {
  if (value < 10) {
    return `${value.toFixed(1)} ms`;
  }
  return value < 1000 ? `${Math.round(value)} ms` : age(value / 1000);
}

export function age(seconds) {
  const value = Math.max(0, seconds);
  if (value < 0.1) {
    return '< 0.1 s';
  }
  if (value < 10) {
    return `${value.toFixed(1)} s`;
  }
  if (value < 2 * MINUTE) {
    return `${Math.round(value)} s`;
  }
  if (value < 2 * HOUR) {
    return `${Math.round(value / MINUTE)} min`;
  }
  return value < 2 * DAY ? `${Math.round(value / HOUR)} h` : `${Math.round(value / DAY)} days`;
}

/** The clocks of the browser and of the database are two: what is less than a minute ago is not told more exactly. */
export function ago(iso) {
  const seconds = (Date.now() - Date.parse(iso)) / 1000;
  return seconds < MINUTE ? 'just now' : `${age(seconds)} ago`;
}

export function time(iso) {
  return TIME.format(new Date(iso));
}

export function clock(at) {
  return CLOCK.format(at);
}

/** Breaks JSON into lines without reading its values, so that numbers of any size stay as they are. */
export function pretty(json) {
  let result = '';
  let depth = 0;
  let before = '';
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const closes = token === '}' || token === ']';
    const opened = before === '{' || before === '[';
    depth -= closes ? 1 : 0;
    if (closes ? !opened : opened || before === ',') {
      result += '\n' + '  '.repeat(Math.min(depth, DEEPEST_INDENT));
    }
    result += token === ':' ? ': ' : token;
    depth += token === '{' || token === '[' ? 1 : 0;
    before = token;
  }
  return result;
}
