/** Runs on every page. Shows times in the reader's zone, and suggestions while the reader types a search. */
import { showFavourites, startFavourites } from './favourites.js';
import { startNotify } from './notify.js';
import { fillPending } from './pending.js';
import { localTimes, nameZone } from './times.js';

const WAIT_MS = 150;
const LEAST_CHARACTERS = 2;

/** Turns the search box into a combobox with a list below it. The form still leads to the results page. */
function suggest(form) {
  const input = form.querySelector('input[name="q"]');
  const list = document.createElement('ul');
  list.className = 'suggestions';
  list.id = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', input.getAttribute('aria-label'));
  list.hidden = true;
  form.append(list);
  const settings = {
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    'aria-autocomplete': 'list',
  };
  for (const [name, value] of Object.entries(settings)) input.setAttribute(name, value);
  const root = new URL(document.body.dataset.root || './', location.href);
  let timer;
  let asked = 0;
  let chosen = -1;

  function choose(index) {
    const options = [...list.children];
    chosen = index < options.length ? index : -1;
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === chosen));
    if (chosen === -1) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', options[chosen].id);
  }

  function show(found) {
    list.replaceChildren(
      ...found.map(({ name, note, path, picture }, index) => {
        const option = document.createElement('li');
        option.id = `suggestion-${index}`;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', 'false');
        option.dataset.path = path;
        const about = document.createElement('small');
        about.textContent = ` ${note}`;
        const image = new Image(20, 20);
        image.alt = '';
        if (picture !== null) image.src = new URL(picture, root).href;
        const label = document.createElement('span');
        label.append(name, about);
        option.append(image, label);
        return option;
      }),
    );
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    choose(-1);
  }

  async function ask() {
    const number = ++asked;
    const q = input.value.trim();
    if ([...q].length < LEAST_CHARACTERS) return show([]);
    const url = new URL('search/suggestions', root);
    url.search = new URLSearchParams({ q, lang: document.documentElement.lang }).toString();
    const response = await fetch(url).catch(() => null);
    if (!response?.ok || number !== asked) return;
    const { suggestions } = await response.json();
    // Ignore this answer if the reader has typed more since.
    if (number === asked) show(suggestions);
  }

  const open = (option) => location.assign(new URL(option.dataset.path, root));
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (list.hidden) return;
      event.preventDefault();
      choose(event.key === 'ArrowDown' ? chosen + 1 : chosen === -1 ? list.children.length - 1 : chosen - 1);
    } else if (event.key === 'Escape') show([]);
    else if (event.key === 'Enter' && chosen !== -1) {
      event.preventDefault();
      open(list.children[chosen]);
    }
  });
  // This runs before the box loses focus, which would close the list.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault();
    const option = event.target.closest('[role="option"]');
    if (option) open(option);
  });
  input.addEventListener('blur', () => show([]));
}

/** Finds while the reader types. The form names the element with the results in `data-results`. */
function findWhileTyping(form) {
  if (document.getElementById(form.dataset.results) === null) return;
  let timer;
  let asked = 0;
  async function find() {
    const number = ++asked;
    const url = new URL(form.action);
    url.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== '')).toString();
    const response = await fetch(url, { headers: { Accept: 'text/html' } }).catch(() => null);
    if (!response?.ok || number !== asked) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    // The reader may have typed more since.
    const results = fresh.getElementById(form.dataset.results);
    if (number !== asked || results === null) return;
    document.getElementById(form.dataset.results).replaceWith(results);
    history.replaceState(history.state, '', url);
  }
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(find, WAIT_MS);
  });
}

/** Stores the reader's time zone in a cookie. From the next page on, the server groups matches into days in this zone. */
function keepZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  if (zone) document.cookie = `touchline_tz=${zone}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/** Removes the `retry` mark from the address after a refused page has loaded itself again. */
function cleanAddress() {
  const address = new URL(location.href);
  if (!address.searchParams.has('retry')) return;
  address.searchParams.delete('retry');
  history.replaceState(history.state, '', address);
}

/** Without a connection, the worker shows a page that says so. Browsers offer to install the site only if it has one. */
function startWorker() {
  if (!('serviceWorker' in navigator)) return;
  const root = new URL(document.body.dataset.root || './', location.href);
  // A browser that refuses, for example in a private window, shows its own page.
  navigator.serviceWorker.register(new URL('service-worker.js', root)).catch(() => {});
}

cleanAddress();
addEventListener('load', startWorker);
keepZone();
localTimes();
nameZone();
showFavourites();
startFavourites();
startNotify();
fillPending();
// On a phone, the tab of this page may be beyond the edge.
document.querySelector('.page-tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
for (const form of document.querySelectorAll('form.search')) suggest(form);
for (const form of document.querySelectorAll('form[data-results]')) findWhileTyping(form);
