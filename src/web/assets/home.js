/**
 * The front page's script. Each event updates scores and minutes at once. When a match starts, ends or moves, the list is fetched from the
 * server.
 */
import { showFavourites } from './favourites.js';
import { follow, patch, replaceParts, throttled } from './live.js';
import { showDetails } from './match-details.js';

/** The widest window in which the page has no room for a table. */
const NARROW = '(max-width: 900px)';

/**
 * Fetches the table beside the matches, in the language of the page: the parameter `lang` would store it as the reader's choice. It is the
 * table of the selected match's league, or of the first league in the list. Without an answer, the link to the league stays.
 */
async function showTable() {
  const place = document.getElementById('table');
  const selected = document.querySelector('#selected [data-wanted]');
  const { wanted } = (selected ?? place).dataset;
  const { date, tz } = place.dataset;
  if (!wanted || matchMedia(NARROW).matches) return;
  const address = new URL('league-table', new URL(document.body.dataset.root || './', location.href));
  address.search = new URLSearchParams({ wanted, ...(date && { date, tz }) }).toString();
  const response = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!response?.ok) return;
  const panel = new DOMParser().parseFromString(await response.text(), 'text/html').body;
  // A selected match of a cup has no table.
  if (panel.childElementCount > 0 || selected !== null) place.replaceChildren(...panel.children);
}

const list = throttled(async () => {
  await replaceParts(['day', 'selected']);
  showFavourites();
  await showTable();
});
showTable();
showDetails(showTable);

// Only today has live matches.
if (document.body.dataset.isToday === 'true') {
  follow('live', {
    onEvent(event) {
      if (event.type === 'refresh' || event.sent_off || !patch(event)) list.later();
    },
    refresh: list.now,
  });
} else document.getElementById('connection').hidden = true;
