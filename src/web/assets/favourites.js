/**
 * Favourite leagues and teams. Pages show a star next to them, and the front page lists their matches first. The browser stores
 * them without an account. After a member has signed in, the browser's stars are added to the account once, and then the
 * account's stars are shown. Changes go to both, so that the browser has its own stars again after the member has signed out.
 */
const KINDS = ['tournament', 'team'];
/** The stars of this browser: { tournament: number[], team: number[] }. */
const OWN = 'touchline.favourites';
/** The account as it was last read: the same, with `member` and the time `at`. Absent until the stars have been added. */
const ACCOUNT = 'touchline.account';
/** Changes that the account does not have yet, as [operation, kind, id]. */
const PENDING = 'touchline.pending';
/** Other devices may have changed the account's favourites. */
const READ_AGAIN_MS = 60_000;

const text = document.body.dataset;
const isMember = document.documentElement.dataset.member !== undefined;

function load(name, otherwise, from = 'localStorage') {
  try {
    return JSON.parse(window[from].getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function store(name, value, to = 'localStorage') {
  try {
    if (value === null) window[to].removeItem(name);
    else window[to].setItem(name, JSON.stringify(value));
  } catch {
    // A browser that refuses to store anything has no favourites.
  }
}

/** Returns { tournament: number[], team: number[] }. Both lists are empty if nothing is stored. */
const lists = (kept) =>
  Object.fromEntries(KINDS.map((kind) => [kind, Array.isArray(kept?.[kind]) ? kept[kind].map(Number) : []]));
const read = () => lists((isMember && load(ACCOUNT, null)) || load(OWN, {}));

function keep(name, kind, id, isKept) {
  const kept = load(name, {});
  const ids = lists(kept)[kind].filter((one) => one !== id);
  store(name, { ...kept, ...lists(kept), [kind]: isKept ? [...ids, id] : ids });
}

function toggle(kind, id) {
  const isKept = !read()[kind].includes(id);
  keep(OWN, kind, id, isKept);
  if (!isMember) return;
  if (load(ACCOUNT, null) !== null) keep(ACCOUNT, kind, id, isKept);
  store(PENDING, [...load(PENDING, []), [isKept ? 'add' : 'remove', kind, id]]);
  synchronize();
}

const MESSAGE_MS = 8_000;

/** Shows a short message above the page, which screen readers read. */
export function tell(message) {
  document.getElementById('message')?.remove();
  const shown = document.createElement('p');
  shown.id = 'message';
  shown.className = 'panel';
  shown.setAttribute('role', 'status');
  document.body.append(shown);
  // An empty status that gets a text is read.
  shown.textContent = message;
  setTimeout(() => shown.remove(), MESSAGE_MS);
}

/** All stars on the page. */
const shown = [];

/** Adds a star to an element that has data-favourite="team 12". */
function addStar(element) {
  const [kind, id] = element.dataset.favourite.split(' ');
  const star = document.createElement('button');
  star.type = 'button';
  star.className = 'star';
  star.setAttribute('aria-label', `${text.favouriteText}: ${element.dataset.name}`);
  const show = () => {
    const isKept = read()[kind].includes(Number(id));
    star.textContent = isKept ? '★' : '☆';
    star.setAttribute('aria-pressed', String(isKept));
  };
  star.addEventListener('click', () => {
    toggle(kind, Number(id));
    showAgain();
  });
  show();
  shown.push(show);
  element.append(star);
}

/** Moves favourite leagues up, and repeats favourite teams' matches above them. */
function arrange(day) {
  day.querySelector('#my-teams')?.remove();
  const { tournament, team } = read();
  const leagues = [...day.querySelectorAll('.league')];
  for (const [index, league] of leagues.entries()) league.dataset.place ??= index;
  const rank = (league) =>
    Number(league.dataset.place) - (tournament.includes(Number(league.dataset.tournament)) ? leagues.length : 0);
  for (const league of leagues.toSorted((a, b) => rank(a) - rank(b))) league.parentElement.append(league);
  const rows = team.flatMap((id) => [...day.querySelectorAll(`[data-teams~="${id}"]`)]);
  if (rows.length === 0) return;
  const mine = document.createElement('section');
  mine.id = 'my-teams';
  mine.className = 'league';
  const title = document.createElement('h2');
  title.textContent = text.myTeams;
  const list = document.createElement('ul');
  list.className = 'rows';
  list.append(...new Set(rows.map((row) => row.cloneNode(true))));
  mine.append(title, list);
  day.prepend(mine);
}

/** The widest window in which the page has no room for the list of favourites. */
const NO_LIST = '(max-width: 1160px)';
/** The favourites' names, as they were last read: { key, html }. */
const NAMES = 'touchline.names';
/** The service names this many teams, and as many leagues. */
const MOST_NAMED = 100;

/** Names the favourites in the front page's list. The browser keeps ids alone, so the service is asked once for each choice. */
async function nameFavourites() {
  const place = document.querySelector('#favourites > div');
  if (place === null || matchMedia(NO_LIST).matches) return;
  const hint = place.querySelector('.note') ?? savedHint;
  savedHint = hint;
  const chosen = read();
  const query = new URLSearchParams();
  for (const kind of KINDS) if (chosen[kind].length > 0) query.set(kind, chosen[kind].slice(-MOST_NAMED).join());
  const key = `${document.documentElement.lang} ${query}`;
  if (query.size === 0) return place.replaceChildren(hint);
  let kept = load(NAMES, null, 'sessionStorage');
  if (kept?.key !== key) {
    const url = new URL(`favourites?${query}`, new URL(text.root || './', location.href));
    const response = await fetch(url, { headers: { Accept: 'text/html' } }).catch(() => null);
    if (!response?.ok) return;
    kept = { key, html: await response.text() };
    store(NAMES, kept, 'sessionStorage');
  }
  const { body } = new DOMParser().parseFromString(kept.html, 'text/html');
  place.replaceChildren(...(body.childElementCount > 0 ? body.children : [hint]));
}
let savedHint = null;

/** Returns whether an entry is one of the favourites. */
export const isFavourite = (kind, id) => read()[kind].includes(id);

/** Adds an entry to the favourites, or removes it. */
export function toggleFavourite(kind, id) {
  toggle(kind, id);
  showAgain();
}

export function showFavourites() {
  for (const element of document.querySelectorAll('[data-favourite]:not(:has(.star))')) addStar(element);
  const day = document.getElementById('day');
  if (day !== null) arrange(day);
  nameFavourites();
}

function showAgain() {
  for (const show of shown) show();
  showFavourites();
  dispatchEvent(new Event('favourites'));
}

/** The changes that bring the account up to date: all of the browser's stars if they have not been added yet, and later changes. */
function changesFor(account) {
  const changes = new URLSearchParams();
  const own = lists(load(OWN, {}));
  if (account === null) for (const kind of KINDS) for (const id of own[kind]) changes.append('add', `${kind} ${id}`);
  for (const [operation, kind, id] of load(PENDING, [])) {
    // A later change of the same star counts.
    changes.delete('add', `${kind} ${id}`);
    changes.delete('remove', `${kind} ${id}`);
    changes.append(operation, `${kind} ${id}`);
  }
  return changes;
}

let running = false;

/** Sends changes to the account, and reads the changes of other devices. */
async function synchronize() {
  const account = load(ACCOUNT, null);
  const pending = load(PENDING, []);
  if (running || (account !== null && pending.length === 0 && Date.now() - account.at < READ_AGAIN_MS)) return;
  running = true;
  const changes = changesFor(account);
  const added = new Set(changes.getAll('add'));
  if (account !== null) changes.append('member', account.member);
  const url = new URL('account/favourites', new URL(text.root || './', location.href));
  const request = changes.size > 0 ? { method: 'POST', body: changes } : {};
  const response = await fetch(url, { ...request, headers: { Accept: 'application/json' } }).catch(() => null);
  running = false;
  // The session has ended; the browser's own stars are shown. Anything else is tried again on the next page.
  if (response?.status === 401) store(ACCOUNT, null);
  if (response?.status === 409 && account !== null) {
    // Somebody else has signed in.
    for (const name of [ACCOUNT, PENDING]) store(name, null);
    return synchronize();
  }
  if (!response?.ok) return showAgain();
  const { member, chosen, left_out } = await response.json();
  if (KINDS.some((kind) => left_out[kind].some((id) => added.has(`${kind} ${id}`)))) tell(text.favouritesFull ?? '');
  // Stars without a place in the account stay in the browser, and are shown too.
  const both = KINDS.map((kind) => [kind, [...chosen[kind], ...left_out[kind]]]);
  store(ACCOUNT, { member, at: Date.now(), ...Object.fromEntries(both) });
  store(PENDING, load(PENDING, []).slice(pending.length));
  showAgain();
  if (load(PENDING, []).length > 0) return synchronize();
}

/** Brings the browser's stars and the account's together. */
export function startFavourites() {
  if (isMember) synchronize();
  else for (const name of [ACCOUNT, PENDING]) store(name, null);
}
