/**
 * A widget's script, which runs in a frame on any site. It tells the embedding page the widget's height, shows times in the reader's zone,
 * and fetches the widget again at the interval that the page gives. Without the script, the widget is a complete page.
 */
const HIGHLIGHT_MS = 8_000;
/** Pause after a refusal without Retry-After. */
const PATIENCE_MS = 30_000;

const { body, documentElement } = document;
const parts = document.getElementById('parts');
const stale = document.getElementById('stale');

/**
 * Tells the embedding page the widget's height. Any site may embed a widget and read this message, so it contains
 * nothing else.
 */
function tellHeight() {
  if (parent === window) return;
  parent.postMessage({ type: 'touchline.height', height: Math.ceil(body.getBoundingClientRect().height) }, '*');
}

/** Shows times in the reader's zone, in the widget's language. */
function localTimes(root) {
  const { lang } = documentElement;
  for (const element of root.querySelectorAll('time[datetime*="T"]')) {
    const date = new Date(element.dateTime);
    const year = date.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' };
    const day = date.toLocaleDateString(lang, { day: 'numeric', month: 'short', ...year });
    const time = date.toLocaleTimeString(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    element.textContent = `${day}, ${time}`;
  }
}

/** Scores by match and side. */
const scores = () =>
  new Map(
    [...parts.querySelectorAll('[data-match] .score')].map((element) => [
      `${element.closest('[data-match]').dataset.match} ${element.dataset.side}`,
      element,
    ]),
  );

/** The last HTML that the server sent for each part. */
let served = [...parts.children].map((part) => part.outerHTML);

/** Replaces the parts that have changed, and keeps the focus. */
function show(fresh) {
  const next = [...fresh.getElementById('parts').children];
  const html = next.map((part) => part.outerHTML);
  const before = new Map([...scores()].map(([key, element]) => [key, element.textContent]));
  const focused = document.activeElement?.closest('a[href]')?.getAttribute('href');
  localTimes(fresh);
  if (html.length !== served.length) parts.replaceChildren(...next);
  else
    next.forEach((part, index) => {
      if (html[index] !== served[index]) parts.children[index].replaceWith(part);
    });
  served = html;
  document.title = fresh.title;
  body.dataset.refresh = fresh.body.dataset.refresh;
  if (focused && document.activeElement === body) parts.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  for (const [key, element] of scores()) {
    if (!before.has(key) || before.get(key) === element.textContent) continue;
    element.classList.add('scored');
    setTimeout(() => element.classList.remove('scored'), HIGHLIGHT_MS);
  }
}

/** After the server has refused a request, no request is sent before this time. */
let quietUntil = 0;

/** @returns whether the shown parts are current */
async function refresh() {
  const response = await fetch(location.href, { cache: 'no-cache', credentials: 'omit' });
  // A 404 is shown too, since it tells the reader that the match or tournament has been removed.
  if (response.ok || response.status === 404) {
    show(new DOMParser().parseFromString(await response.text(), 'text/html'));
    return true;
  }
  quietUntil = Date.now() + (Number(response.headers.get('Retry-After')) * 1_000 || PATIENCE_MS);
  return false;
}

let asked = Date.now();
async function refreshNow() {
  if (Date.now() < quietUntil) return;
  asked = Date.now();
  stale.hidden = await refresh().catch(() => false);
  tellHeight();
}

/** Adds a random amount, so that widgets that were loaded together do not all refresh at once. */
const intervalMs = () => Number(body.dataset.refresh) * 1_000 * (1 + Math.random() / 3);

function refreshLater() {
  // The interval is 0 if the address is wrong, which no refresh can fix.
  if (intervalMs() === 0) return;
  setTimeout(async () => {
    if (!document.hidden) await refreshNow();
    refreshLater();
  }, intervalMs());
}

localTimes(document);
new ResizeObserver(tellHeight).observe(body);
refreshLater();
document.addEventListener('visibilitychange', () => {
  const dueMs = Number(body.dataset.refresh) * 1_000;
  if (!document.hidden && dueMs > 0 && Date.now() - asked > dueMs) refreshNow();
});
