/**
 * The page's connection to its stream. Pages are rendered by the server: `refresh` fetches the page again and replaces the parts that have
 * changed. If no stream is open (the server is away, or there are too many streams), the page refreshes at growing intervals.
 */
import { pause } from '../../client/pause.ts';
import { sseTransport } from '../../client/stream-connection.ts';
import { localTimes } from './times.js';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
/** Some changes have no event, for example when a match is about to start, or when a result drops out of the list. */
const REFRESH_EVERY_MS = 60_000;
const REFRESH_AFTER_MS = 400;
const REFRESH_AT_MOST_EVERY_MS = 1_500;
/** Pause after a 429 without Retry-After. */
const PATIENCE_MS = 10_000;
const HIGHLIGHT_MS = 8_000;

const data = document.body.dataset;
const indicator = document.getElementById('connection');
const announcement = document.getElementById('announcement');

function show(state) {
  indicator.hidden = false;
  indicator.dataset.state = state;
  if (indicator.textContent !== indicator.dataset[state]) indicator.textContent = indicator.dataset[state];
}

/** Announces a message to screen readers. */
function announce(text) {
  announcement.textContent = text;
}

const connect = sseTransport((url, options) => fetch(url, options));

/** Adds a random amount, so that pages that lost the connection together do not all reconnect at once. */
const spread = (ms) => ms * (1 + Math.random() / 2);

/**
 * @param path stream path, below the root
 * @param onEvent is called with each event, `{ type, match, side }`, or with `{ type: 'refresh' }`
 * @param refresh fetches the shown data again
 * @param isWanted returns whether the page has anything to follow
 */
export function follow(path, { onEvent, refresh, isWanted = () => true }) {
  const url = new URL((data.root || './') + path, location.href);
  let wasOpen = false;
  let retryMs = FIRST_RETRY_MS;

  /**
   * One connection, until it ends.
   * @returns how long the server asks the client to wait, in milliseconds
   */
  async function listen(signal) {
    let isOpen = false;
    try {
      for await (const { kind, event, cursor = event?.cursor } of connect({ url, signal })) {
        received = cursor ?? received;
        if (!isOpen) {
          isOpen = true;
          retryMs = FIRST_RETRY_MS;
          show('open');
          // Fetches what has changed during the outage, including changes without events.
          if (wasOpen) refresh();
          wasOpen = true;
        }
        if (kind === 'event') onEvent(event);
        if (!isWanted()) return 0;
      }
    } catch (error) {
      return error.retryAfterMs ?? 0;
    }
    return 0;
  }

  async function run(signal) {
    show('connecting');
    while (!signal.aborted) {
      if (!isWanted()) {
        indicator.hidden = true;
        await pause(spread(REFRESH_EVERY_MS), signal);
      } else {
        const waitMs = await listen(signal);
        if (signal.aborted) return;
        if (!isWanted()) continue;
        show('offline');
        await pause(spread(Math.max(waitMs, retryMs)), signal);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
      if (!signal.aborted) await refresh();
    }
  }

  let running = new AbortController();
  run(running.signal);
  setInterval(() => document.visibilityState === 'visible' && isWanted() && refresh(), spread(REFRESH_EVERY_MS));
  // Closes the connection when the page is left, because the browser may keep the page in the back/forward cache.
  addEventListener('pagehide', () => running.abort());
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    running = new AbortController();
    refresh();
    run(running.signal);
  });
}

/** Returns a function that merges calls, so that a burst of events fetches the page once. Two runs never overlap. */
export function throttled(work) {
  let timer = null;
  let running = Promise.resolve();
  let last = 0;
  function now() {
    clearTimeout(timer);
    timer = null;
    last = Date.now();
    running = running.then(work).catch(() => {});
    return running;
  }
  return {
    now,
    later() {
      timer ??= setTimeout(now, Math.max(REFRESH_AFTER_MS, last + REFRESH_AT_MOST_EVERY_MS - Date.now()));
    },
  };
}

/** The cursor of the last event that the stream has sent; 0 if it has sent none. */
let received = 0;

/** Returns this page's address. The cursor keeps a cache on the way from answering with a page from before the event. */
function currentAddress() {
  const address = new URL(location.href);
  if (received > 0) address.searchParams.set('after', received);
  return address;
}

/** Fetches this page again and replaces the parts with these ids, if they have changed. */
export async function replaceParts(ids) {
  if (Date.now() < quietUntil) return;
  const response = await fetch(currentAddress(), { headers: { Accept: 'text/html' }, cache: 'no-store' });
  if (response.status === 429)
    quietUntil = Date.now() + spread(Number(response.headers.get('Retry-After')) * 1_000 || PATIENCE_MS);
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  localTimes(fresh);
  document.title = fresh.title;
  const focused = document.activeElement?.closest('a[href]')?.getAttribute('href');
  for (const id of ids) {
    const [old, next] = [document.getElementById(id), fresh.getElementById(id)];
    if (old && next && served.get(id) !== next.outerHTML) {
      served.set(id, next.outerHTML);
      old.replaceWith(next);
    }
  }
  for (const [match, { until, side }] of highlights) if (until > Date.now()) mark(match, side);
  if (focused) document.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
}
/** After the server has refused a request, no request is sent before this time. */
let quietUntil = 0;
/** The last HTML that the server sent for each part. Events may have changed the part on the page since then. */
const served = new Map();

/** By match id: the side whose goal is highlighted, and until when. */
const highlights = new Map();
function mark(match, side) {
  for (const element of document.querySelectorAll(`[data-match="${match}"]`)) {
    element.classList.add('scored');
    element.dataset.scored = side;
  }
}
function highlight(match, side) {
  highlights.set(match, { until: Date.now() + HIGHLIGHT_MS, side });
  mark(match, side);
  setTimeout(() => {
    if ((highlights.get(match)?.until ?? 0) > Date.now()) return;
    highlights.delete(match);
    for (const element of document.querySelectorAll(`[data-match="${match}"]`)) element.classList.remove('scored');
  }, HIGHLIGHT_MS + 100);
}

/**
 * Shows an event's score and minute at once.
 * @returns true if the page shows the match with the event's status, so that no refresh is needed
 */
export function patch({ type, match, side }) {
  const shown = document.querySelectorAll(`[data-match="${match.id}"]`);
  let fits = shown.length > 0;
  for (const element of shown) {
    for (const one of ['home', 'away']) {
      const score = element.querySelector(`[data-side="${one}"].score, [data-side="${one}"] .score`);
      if (score && match[one].score !== null) score.textContent = match[one].score;
    }
    const clock = element.querySelector('.clock');
    const running = match.status_detail === 'in_play' || match.status_detail === 'extra_time';
    if (clock && running && match.minute !== null) clock.textContent = `${match.minute}′`;
    if (element.dataset.detail !== match.status_detail || element.dataset.status !== match.status) fits = false;
  }
  // A match page's tab title begins with the score.
  if (Number(data.match) === match.id && match.home.score !== null)
    document.title = document.title.replace(/^(\d+:\d+ )?/, `${match.home.score}:${match.away.score} `);
  if (type === 'match.goal' && shown.length > 0) {
    highlight(match.id, side ?? '');
    const [home, away] = ['home', 'away'].map(
      (one) => shown[0].querySelector(`[data-side="${one}"] .name`).textContent,
    );
    announce(`${data.goal}! ${home} ${match.home.score}:${match.away.score} ${away}`);
  }
  return fits;
}
