/**
 * The page's connection to the stream: the client that users import, authenticated by the session cookie. If the stream refuses it, the
 * page is fetched again, which also renews the session. Pages are rendered on the server: `refresh` fetches the page again and replaces
 * its changed parts.
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

/** For screen readers. */
export function announce(text) {
  announcement.textContent = text;
}

/** Shows times in the local time zone and language, with the day on another day and the year in another year. */
export function localTimes(root = document) {
  const now = new Date();
  for (const element of root.querySelectorAll('time[datetime]:not([data-day])')) {
    const date = new Date(element.dateTime);
    const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' };
    const day = date.toLocaleDateString([], { day: 'numeric', month: 'short', ...year });
    element.textContent = date.toDateString() === now.toDateString() ? time : `${day}, ${time}`;
    element.title = element.dateTime;
  }
}

/**
 * @param filters of the stream, for example `{ league: [3] }`
 * @param onEvent is called with type and data of each event
 * @param refresh fetches the shown data again
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
      onState: (state) => opened === stream && onState(state),
    });
    stream = opened;
  }

  function onState({ phase }) {
    if (phase === 'live') {
      retryMs = FIRST_RETRY_MS;
      show('open');
      // Changes during the outage, including blocks without events.
      if (wasOpen) refresh();
      wasOpen = true;
    } else if (phase === 'waiting') {
      show('offline');
    } else if (phase === 'replaying') {
      // More events were missed than the stream replays: the page has the current state, and the stream continues from now.
      cursor = null;
      refresh();
      retry();
    } else if (phase === 'failed') {
      show('offline');
      retry();
    }
  }

  function retry() {
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
  // A page in the browser's back/forward cache must not keep a connection.
  addEventListener('pagehide', () => stream && close());
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    show('connecting');
    refresh();
    open();
  });
}

/** Merges calls, so that a burst of events fetches the page once; never runs two at a time. */
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

/** Fetches this page again and replaces the parts with these ids that have changed. */
export async function replaceParts(ids) {
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
/** The last HTML from the server for each part: the shown part may be ahead of it by an event. */
const served = new Map();

/** Match id → side whose goal is highlighted, and until when. */
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

/** Shows score and minute of an event at once. @returns whether the shown status is still current */
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
