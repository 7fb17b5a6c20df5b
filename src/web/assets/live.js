/**
 * The page's connection to the stream: the client that users import, by the session's cookie. Where the stream refuses it, the page is
 * fetched anew, which also renews the session. Pages are server-rendered: `refresh` fetches the page again and puts its changed parts
 * in place.
 */
import { openStream } from '../../client/stream.ts';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
const REFRESH_AFTER_MS = 400;
const REFRESH_AT_MOST_EVERY_MS = 1_500;
const HIGHLIGHT_MS = 8_000;

const data = document.body.dataset;
const indicator = document.getElementById('connection');
const announcement = document.getElementById('announcement');

function show(state) {
  indicator.hidden = false;
  indicator.dataset.state = state;
  if (indicator.textContent !== indicator.dataset[state]) indicator.textContent = indicator.dataset[state];
}

/** Says it to screen readers. */
export function announce(text) {
  announcement.textContent = text;
}

/** Shows times in the reader's own zone and language. */
export function localTimes(root = document) {
  const today = new Date().toDateString();
  for (const element of root.querySelectorAll('time[datetime]:not([data-day])')) {
    const date = new Date(element.dateTime);
    const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    const day =
      date.toDateString() === today ? '' : `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })}, `;
    element.textContent = day + time;
    element.title = element.dateTime;
  }
}

/**
 * @param filters of the stream, for example `{ league: [3] }`
 * @param onEvent gets the type and data of each event
 * @param refresh fetches what is shown anew
 */
export function follow(filters, onEvent, refresh) {
  let stream = null;
  let cursor = null;
  let retryMs = FIRST_RETRY_MS;
  let wasOpen = false;
  let timer = 0;

  function open() {
    const opened = openStream({
      url: new URL(data.root || '.', location.href).href,
      filters,
      storage: {
        load: () => cursor,
        save(next) {
          cursor = next;
        },
      },
      onEvent: ({ type, data }) => onEvent(type, data),
      onState: (state) => opened === stream && take(state),
    });
    stream = opened;
  }

  function take({ phase }) {
    if (phase === 'live') {
      retryMs = FIRST_RETRY_MS;
      show('open');
      // What changed while there was no connection, blocks without events included.
      if (wasOpen) refresh();
      wasOpen = true;
    } else if (phase === 'waiting') {
      show('offline');
    } else if (phase === 'replaying') {
      // More was missed than the stream replays: the page itself is the newest state, and the stream goes on from now.
      cursor = null;
      refresh();
      again();
    } else if (phase === 'failed') {
      show('offline');
      again();
    }
  }

  function again() {
    close();
    timer = setTimeout(
      async () => {
        await refresh();
        open();
      },
      retryMs * (0.75 + Math.random() / 2),
    );
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  }

  function close() {
    clearTimeout(timer);
    stream.close();
    stream = null;
  }

  show('connecting');
  open();
  // A page that waits in the browser's history must not hold a connection.
  addEventListener('pagehide', () => stream && close());
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    show('connecting');
    refresh();
    open();
  });
}

/** Collects calls into one, so that a burst of events fetches the page once; never two at the same time. */
export function gently(work) {
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

/** Fetches this page again and puts in place the parts, named by their ids, that differ. */
export async function takeParts(ids) {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' }, cache: 'no-store' });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  localTimes(fresh);
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
/** What the server last said of each part: the shown one may be ahead of it by an event. */
const served = new Map();

/** Match id → until when which side's goal is shown. */
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

/** Puts score and minute of an event in place at once; says whether the shown state still fits. */
export function patch(type, { match, incident }) {
  const shown = document.querySelectorAll(`[data-match="${match.id}"]`);
  let fits = shown.length > 0;
  for (const element of shown) {
    for (const side of ['home', 'away']) {
      const score = element.querySelector(`[data-side="${side}"].score, [data-side="${side}"] .score`);
      if (score && match[side].score !== null) score.textContent = match[side].score;
    }
    const clock = element.querySelector('.clock');
    const running = match.status_detail === 'in_play' || match.status_detail === 'extra_time';
    if (clock && running && match.minute !== null) clock.textContent = `${match.minute}′`;
    if (element.dataset.detail !== match.status_detail || element.dataset.status !== match.status) fits = false;
  }
  if (type === 'match.goal' && shown.length > 0) {
    highlight(match.id, incident?.side ?? '');
    announce(`${data.goal}! ${match.home.name} ${match.home.score}:${match.away.score} ${match.away.name}`);
  }
  return fits;
}
