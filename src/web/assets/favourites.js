/**
 * Favourite leagues and teams, which this browser stores without an account. Pages show a star next to them, and the front page lists their
 * matches first.
 */
const NAME = 'touchline.favourites';
const KINDS = ['tournament', 'team'];

/** Returns { tournament: number[], team: number[] }. Both lists are empty if nothing is stored. */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? '{}');
    return Object.fromEntries(KINDS.map((kind) => [kind, Array.isArray(kept[kind]) ? kept[kind].map(Number) : []]));
  } catch {
    return { tournament: [], team: [] };
  }
}

function toggle(kind, id) {
  const kept = read();
  kept[kind] = kept[kind].includes(id) ? kept[kind].filter((one) => one !== id) : [...kept[kind], id];
  try {
    localStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // A browser that refuses to store anything has no favourites.
  }
}

const text = document.body.dataset;

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
    show();
    showFavourites();
  });
  show();
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

export function showFavourites() {
  for (const element of document.querySelectorAll('[data-favourite]:not(:has(.star))')) addStar(element);
  const day = document.getElementById('day');
  if (day !== null) arrange(day);
}
