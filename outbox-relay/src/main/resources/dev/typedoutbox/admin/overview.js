// What is going on: the numbers, the plots, the relays and the types.

import {Plot, SPAN_MILLIS} from './plot.js';
import {age, clock, count, element, millis, number, rate, visible} from './text.js';

const RATE_SECONDS = 10;
const RECENT_SECONDS = 60;
const OLD_SECONDS = 60;
const SLOTS = 64;
const LOOKED_AT = 10_000;
const STATES = {
  RUNNING: ['running', 'good'],
  STARTING: ['starting', 'idle'],
  STOPPED: ['stopped', 'idle'],
  WAITING_FOR_BROKER: ['waits for the broker', 'bad'],
  WAITING_FOR_DATABASE: ['waits for the database', 'bad'],
};
const $ = id => document.getElementById(id);

export class Overview {
  #statuses = [];
  #seconds = new Map();
  #since = 0;
  #plots = {
    rate: new Plot($('plot-rate'), {
      series: [{name: 'published', kind: 'first', filled: true}, {name: 'refused', kind: 'bad', hidesZero: true}],
      format: number,
      whole: true,
      gapMillis: 1_500,
    }),
    delay: new Plot($('plot-delay'), {
      series: [{name: 'median', kind: 'first'}, {name: '99 of 100', kind: 'second'}],
      format: millis,
      gapMillis: 10_000,
    }),
    pending: new Plot($('plot-pending'), {
      series: [{name: 'pending', kind: 'first', filled: true}],
      format: number,
      whole: true,
      gapMillis: 5_000,
    }),
  };

  begin(hello) {
    this.#statuses = hello.history;
    this.#since = hello.activitySince;
    this.#seconds.clear();
    this.keep(hello.seconds);
  }

  /** Takes a status that the database answered. */
  show(status) {
    this.#statuses.push([status.at, status.pending.value, status.oldestPendingSeconds, status.deadLetters.value]);
    this.#statuses = this.#statuses.filter(([at]) => at >= status.at - SPAN_MILLIS);
    this.keep(status.seconds);
    this.#showNumbers(status);
    this.#showActivity(status);
    this.#plots.pending.draw(this.#statuses.map(([at, pending]) => [at, pending]), status.at);
    showRelays(status);
    showTypes(status);
  }

  /** Takes what the relays of this process did. */
  keep(seconds) {
    seconds.forEach(second => this.#seconds.set(second[0], second));
    const newest = seconds.at(-1)?.[0] ?? 0;
    [...this.#seconds.keys()].filter(at => at < newest - SPAN_MILLIS / 1000).forEach(at => this.#seconds.delete(at));
  }

  #showNumbers(status) {
    const oldest = status.oldestPendingSeconds;
    tell('pending', count(status.pending), status.pending.value === 0 ? 'nothing waits' : 'events wait');
    tell('oldest', oldest === null ? '–' : age(oldest), oldest === null ? 'nothing waits' : 'since it was written',
        oldest > OLD_SECONDS ? 'warn' : '');
    tell('dead', count(status.deadLetters),
        status.deadLetters.value === 0 ? 'nothing was given up' : `the first ${age(status.oldestDeadLetterSeconds)} ago`,
        status.deadLetters.value > 0 ? 'bad' : '');
  }

  #showActivity(status) {
    const known = status.localRelays.length > 0 || this.#seconds.size > 0;
    const reason = known ? '' : 'No relay runs in this process: only its own process and its metrics know.';
    this.#plots.rate.explain(reason);
    this.#plots.delay.explain(reason);
    if (!known) {
      tell('rate', '–', 'no relay in this process');
      tell('delay', '–', 'no relay in this process');
      return;
    }
    const now = Math.floor(status.at / 1000);
    this.#plots.rate.draw(this.#everySecond(now), status.at);
    this.#plots.delay.draw(
        [...this.#seconds.values()].map(([at, , , , median, slow]) => [at * 1000, median, slow]), status.at);
    this.#tellRate(now);
  }

  #everySecond(now) {
    const points = [];
    for (let at = Math.max(this.#since, now - SPAN_MILLIS / 1000); at < now; at += 1) {
      const second = this.#seconds.get(at);
      points.push([at * 1000, second?.[1] ?? 0, second?.[2] ?? 0]);
    }
    return points;
  }

  #tellRate(now) {
    const last = [...this.#seconds.values()].filter(([at]) => at >= now - RATE_SECONDS && at < now);
    const published = last.reduce((sum, second) => sum + second[1], 0);
    tell('rate', `${rate(published / RATE_SECONDS)}/s`, `mean of ${RATE_SECONDS} s`);
    const newest = [...this.#seconds.values()].findLast(([at, , , , median]) => median !== null && at >= now - RECENT_SECONDS);
    tell('delay', newest ? millis(newest[4]) : '–',
        newest ? `99 of 100 within ${millis(newest[5])}` : 'nothing published in a minute');
  }
}

function tell(id, value, note, level = '') {
  $(id).textContent = value;
  $(id).dataset.level = level;
  $(`${id}-note`).textContent = note;
}

function showRelays(status) {
  const local = status.localRelays.map(relay => {
    const [text, level] = STATES[relay.state] ?? [relay.state, 'idle'];
    return row(relay.name, relay.listening ? 'listens' : 'polls', text, level, relay.reason);
  });
  const remote = status.relays.map(relay => row(
      relay.name || '(no name)',
      `${relay.clientAddress ?? 'local'}, process ${relay.pid} of the server, since ${clock(Date.parse(relay.since))}`,
      relay.asleep ? 'sleeps until there is work' : 'awake', relay.asleep ? 'idle' : 'good', ''));
  $('relays').replaceChildren(
      list('In this process', local, 'No relay runs in this process.'),
      list('Sessions that listen at the database', remote, 'None. Relays that only poll have no session of their own.'),
      element('p', {className: 'muted foot'}, `${status.slotsBusy} of ${SLOTS} slots busy; notification queue `
          + `${(status.notificationQueueUsage * 100).toFixed(status.notificationQueueUsage > 0.1 ? 0 : 1)} % full`));
}

function list(title, rows, empty) {
  return element('div', {className: 'rows'}, element('h3', {}, title),
      rows.length === 0 ? element('p', {className: 'muted'}, empty) : element('ul', {}, ...rows));
}

function row(name, note, state, level, reason) {
  const badge = element('span', {className: 'state'}, state);
  badge.dataset.level = level;
  const text = element('div', {className: 'data'}, element('strong', {}, visible(name)),
      element('span', {className: 'muted'}, visible(note)));
  if (reason !== '') {
    text.append(element('span', {className: 'reason'}, visible(reason)));
  }
  return element('li', {}, text, badge);
}

function showTypes(status) {
  if (status.pendingByType.length === 0) {
    $('types').replaceChildren(element('p', {className: 'empty'}, 'Nothing is pending.'));
    return;
  }
  const most = Math.max(...status.pendingByType.map(type => type.pending));
  const rows = status.pendingByType.map(type => {
    const bar = element('span', {className: 'bar'});
    bar.style.inlineSize = `${100 * type.pending / most}%`;
    return element('li', {}, element('span', {className: 'data'}, visible(type.eventType)),
        element('span', {className: 'number'}, number(type.pending)), element('span', {className: 'bar-box'}, bar));
  });
  const partial = status.pending.value > LOOKED_AT ? [element('p', {className: 'muted foot'},
      `Of the first ${number(LOOKED_AT)} pending events.`)] : [];
  $('types').replaceChildren(element('ul', {className: 'bars'}, ...rows), ...partial);
}
