// The stream of what is new. It comes back by itself, and tells when it is lost.

const SILENCE_MILLIS = 6000;
const RETRY_MILLIS = 3000;

export class Live {
  #source;
  #lastHeard = 0;
  #retry;
  #reason = '';

  /** Calls hello(data), status(data), and lost(reason) when nothing comes any more. */
  constructor({hello, status, lost}) {
    this.hello = hello;
    this.status = status;
    this.lost = lost;
    this.#open();
    setInterval(() => this.#watch(), 1000);
  }

  #open() {
    this.#retry = undefined;
    this.#lastHeard = Date.now();
    this.#source = new EventSource('api/stream');
    this.#source.addEventListener('hello', event => this.#heard(() => this.hello(JSON.parse(event.data))));
    this.#source.addEventListener('status', event => this.#heard(() => this.status(JSON.parse(event.data))));
    this.#source.addEventListener('error', () => this.#failed());
  }

  #heard(tell) {
    this.#lastHeard = Date.now();
    this.#reason = '';
    tell();
  }

  /** The browser tries again by itself, unless the server refused. */
  #failed() {
    this.lost(this.#reason);
    if (this.#source.readyState === EventSource.CLOSED) {
      this.#askWhy();
      this.#retryLater();
    }
  }

  /** A connection may be dead without an error, as after the computer slept. */
  #watch() {
    if (this.#retry === undefined && Date.now() - this.#lastHeard > SILENCE_MILLIS) {
      this.#source.close();
      this.lost(this.#reason);
      this.#retryLater();
    }
  }

  #retryLater() {
    this.#retry ??= setTimeout(() => this.#open(), RETRY_MILLIS);
  }

  async #askWhy() {
    const stop = new AbortController();
    try {
      const response = await fetch('api/stream', {signal: stop.signal});
      if (response.status === 401) {
        location.assign('login');
      } else if (!response.ok) {
        this.#reason = (await response.json()).error ?? '';
        this.lost(this.#reason);
      }
    } catch {
      // It cannot be reached, which is told already.
    } finally {
      stop.abort();
    }
  }
}
