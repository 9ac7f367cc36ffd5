// The list of dead letters, and what can be done with them.

import {get, post} from './api.js';
import {confirm, message} from './dialogs.js';
import {ago, age, element, number, plural, pretty, time, visible, visibleLines} from './text.js';

const PATH = 'api/dead-letters';
const LONGEST_PRETTY = 100_000;
const ERROR_SHOWN = 300;
const RELOAD_MILLIS = 15_000;
const NAMES = {
  eventType: 'event type', aggregateType: 'aggregate type', aggregateId: 'aggregate id', errorContaining: 'reason with',
  diedSince: 'died since', diedBefore: 'died before',
};
const $ = id => document.getElementById(id);

export class DeadLetterList {
  #filter = {};
  #after = 0;
  #next = null;
  #rows = new Map();
  #mayChange = false;
  #showPayloads = false;
  #known;
  #loads = 0;
  #loadedAt = 0;
  #shown;

  constructor() {
    $('filter').addEventListener('submit', event => {
      event.preventDefault();
      this.#filterBy(filterOf($('filter')));
    });
    $('filter').addEventListener('reset', () => this.#filterBy({}));
    $('first-page').addEventListener('click', () => this.#goTo(0));
    $('next-page').addEventListener('click', () => this.#goTo(this.#next));
    $('retry-all').addEventListener('click', () => this.#retryAll());
    $('discard-all').addEventListener('click', () => this.#discardAll());
    $('letter-close').addEventListener('click', () => $('letter-dialog').close());
    $('letter-retry').addEventListener('click', () => this.#fromDialog(letter => this.#retry(letter)));
    $('letter-discard').addEventListener('click', () => this.#fromDialog(letter => this.#discard(letter)));
  }

  begin({readOnly, showPayloads}) {
    this.#mayChange = !readOnly;
    this.#showPayloads = showPayloads;
    document.querySelectorAll('[data-change]').forEach(node => {
      node.hidden = readOnly;
    });
    this.#rows.clear();
    this.load();
  }

  /** Loads again when the number has changed, and now and then, since one may have gone and another come. */
  show(status) {
    const now = status.deadLetters.value;
    if ((this.#known !== undefined && this.#known !== now) || Date.now() - this.#loadedAt > RELOAD_MILLIS) {
      this.load();
    }
    this.#known = now;
    $('letters').querySelectorAll('time').forEach(node => {
      node.textContent = ago(node.dateTime);
    });
  }

  async load() {
    this.#loads += 1;
    this.#loadedAt = Date.now();
    const load = this.#loads;
    try {
      const page = await get(PATH, {...this.#filter, after: this.#after});
      if (load === this.#loads) {
        this.#show(page);
      }
    } catch (error) {
      if (load === this.#loads) {
        $('list-note').textContent = error.message;
      }
    }
  }

  #filterBy(filter) {
    this.#filter = filter;
    const parts = Object.entries(filter).map(([name, value]) => `${NAMES[name]} ${visible(value)}`);
    document.querySelector('#filter-box summary').textContent = parts.length === 0 ? 'Filter' : `Filter: ${parts.join(', ')}`;
    ['retry', 'discard'].forEach(verb => {
      const title = verb === 'retry' ? 'Retry' : 'Discard';
      $(`${verb}-all`).textContent = parts.length === 0 ? `${title} all…` : `${title} all that match…`;
    });
    this.#goTo(0);
  }

  #goTo(after) {
    this.#after = after;
    this.load();
  }

  /** Rows that stay keep their place in the document, so that the focus stays where it is. */
  #show({deadLetters, next}) {
    if (deadLetters.length === 0 && this.#after > 0) {
      this.#goTo(0);
      return;
    }
    this.#next = next;
    const focused = document.activeElement?.closest?.('#letters tr');
    const rows = new Map(deadLetters.map(letter => {
      const key = `${letter.id} ${letter.deadAt}`;
      return [key, this.#rows.get(key) ?? this.#row(letter)];
    }));
    this.#rows = rows;
    const body = $('letters').tBodies[0];
    [...body.rows].filter(row => ![...rows.values()].includes(row)).forEach(row => row.remove());
    [...rows.values()].forEach((row, i) => {
      if (body.rows[i] !== row) {
        body.insertBefore(row, body.rows[i] ?? null);
      }
    });
    if (focused && !focused.isConnected) {
      $('dead-title').focus();
    }
    $('letters').hidden = rows.size === 0;
    $('list-note').textContent = rows.size > 0 ? '' : this.#isFiltered() ? 'No dead letter matches.' : 'No dead letters.';
    $('first-page').disabled = this.#after === 0;
    $('next-page').disabled = next === null;
    $('retry-all').disabled = $('discard-all').disabled = rows.size === 0;
  }

  #isFiltered() {
    return Object.keys(this.#filter).length > 0;
  }

  #row(letter) {
    const show = element('button', {type: 'button', className: 'link data', title: 'Show this dead letter'},
        visible(letter.eventType));
    show.addEventListener('click', () => this.#open(letter.id));
    const error = visible(letter.lastError ?? 'not told');
    const actions = element('td', {className: 'actions'});
    if (this.#mayChange) {
      actions.append(button('Retry…', letter, '', () => this.#retry(letter)),
          button('Discard…', letter, 'danger', () => this.#discard(letter)));
    }
    return element('tr', {},
        cell('Event', show),
        cell('Aggregate', element('span', {className: 'data'}, visible(`${letter.aggregateType} ${letter.aggregateId}`))),
        cell('Attempts', number(letter.attempts)),
        cell('Died', element('time', {dateTime: letter.deadAt, title: time(letter.deadAt)}, ago(letter.deadAt))),
        cell('Reason', element('span', {className: 'data reason'},
            error.length > ERROR_SHOWN ? `${error.slice(0, ERROR_SHOWN)}…` : error)),
        actions);
  }

  async #open(id) {
    try {
      const letter = await get(`${PATH}/${id}`);
      this.#shown = letter;
      $('letter-title').textContent = visible(letter.eventType);
      $('letter-facts').replaceChildren(...facts(letter));
      $('letter-payload').replaceChildren(...this.#payload(letter));
      $('letter-dialog').showModal();
    } catch (error) {
      message(error.message, 'bad');
      this.load();
    }
  }

  #payload(letter) {
    if (!this.#showPayloads) {
      return [element('p', {className: 'muted'}, 'Payload and headers are not shown: the server has showPayloads off.')];
    }
    if (letter.payload === undefined) {
      return [element('p', {className: 'muted'}, `Payload and headers are too large to be shown here: ${number(letter.bytes)} bytes.`)];
    }
    const text = letter.payload.length > LONGEST_PRETTY ? letter.payload : pretty(letter.payload);
    const headers = Object.entries(letter.headers).flatMap(([name, value]) => fact(visible(name), visible(value)));
    return [
      ...(headers.length === 0 ? [] : [element('h3', {}, 'Headers'), element('dl', {}, ...headers)]),
      element('h3', {}, 'Payload'),
      element('pre', {className: 'payload data', tabIndex: 0}, visibleLines(text)),
    ];
  }

  #fromDialog(action) {
    const letter = this.#shown;
    $('letter-dialog').close();
    action(letter);
  }

  #retry(letter) {
    return this.#change({
      title: 'Retry this event?',
      text: `${named(letter)}. The relay sends it again at once, with the same id.`,
      button: 'Retry',
      action: async () => {
        await post(`${PATH}/${letter.id}/retry`);
        message(`${visible(letter.eventType)} is sent again.`);
      },
    });
  }

  #discard(letter) {
    return this.#change({
      title: 'Discard this event?',
      text: `${named(letter)}. It will never be sent. Its row stays, with your reason, until it is purged.`,
      button: 'Discard',
      dangerous: true,
      asksReason: true,
      action: async reason => {
        await post(`${PATH}/${letter.id}/discard`, {reason});
        message(`${visible(letter.eventType)} is discarded.`);
      },
    });
  }

  async #retryAll() {
    const which = await this.#which();
    if (which !== undefined) {
      await this.#change({
        title: `Retry ${which}?`,
        text: 'The relay sends them again at once, with the same ids; those of one aggregate in order.',
        button: 'Retry all',
        action: async () => {
          const {retried} = await post(`${PATH}/retry`, {filter: this.#filter});
          message(`${plural(retried, 'event is', 'events are')} sent again.`);
        },
      });
    }
  }

  async #discardAll() {
    const which = await this.#which();
    if (which !== undefined) {
      await this.#change({
        title: `Discard ${which}?`,
        text: 'They will never be sent. Their rows stay, with your reason, until they are purged.',
        button: 'Discard all',
        dangerous: true,
        asksReason: true,
        action: async reason => {
          const {discarded} = await post(`${PATH}/discard`, {filter: this.#filter, reason});
          message(`${plural(discarded, 'event is', 'events are')} discarded.`);
        },
      });
    }
  }

  async #which() {
    try {
      const {count} = await get(`${PATH}/count`, this.#filter);
      return `${this.#isFiltered() ? '' : 'all '}${plural(count, 'dead letter', 'dead letters')}`
          + (this.#isFiltered() ? ` that ${count === 1 ? 'matches' : 'match'} the filter` : '');
    } catch (error) {
      message(error.message, 'bad');
      return undefined;
    }
  }

  async #change(what) {
    await confirm(what);
    this.load();
  }
}

function filterOf(form) {
  const values = Object.fromEntries([...new FormData(form)].filter(([name, value]) => name !== 'died' && value !== ''));
  const [when, seconds] = form.elements.died.value.split(':');
  if (when !== '') {
    values[when === 'since' ? 'diedSince' : 'diedBefore'] = new Date(Date.now() - 1000 * Number(seconds)).toISOString();
  }
  return values;
}

function facts(letter) {
  return [
    ...fact('Reason', visibleLines(letter.lastError ?? 'not told'), 'error'),
    ...fact('Aggregate', visible(`${letter.aggregateType} ${letter.aggregateId}`)),
    ...fact('Id', letter.id),
    ...fact('Number', String(letter.seq)),
    ...fact('Attempts', number(letter.attempts)),
    ...fact('Written', `${time(letter.createdAt)} (${ago(letter.createdAt)})`),
    ...fact('Died', `${time(letter.deadAt)} (${age((Date.parse(letter.deadAt) - Date.parse(letter.createdAt)) / 1000)} later)`),
  ];
}

function fact(name, value, kind = '') {
  return [element('dt', {}, name), element('dd', {className: `data ${kind}`}, value)];
}

function named(letter) {
  return visible(`${letter.eventType} of ${letter.aggregateType} ${letter.aggregateId}`);
}

/** The label stands before the value where the table becomes a list of cards. */
function cell(name, content) {
  const node = element('td', {}, content);
  node.dataset.name = name;
  return node;
}

function button(text, letter, className, action) {
  const node = element('button', {type: 'button', className}, text);
  node.setAttribute('aria-label', `${text} ${named(letter)}`);
  node.addEventListener('click', action);
  return node;
}
