/** The page of a match: the score at once, every part from the server soon after. */
import { follow, gently, localTimes, patch, takeParts } from './live.js';

const { match, league } = document.body.dataset;
const PARTS = ['head', 'timeline', 'commentary', 'chances', 'momentum', 'statistics', 'shots', 'lineups', 'sources'];
const known = new Set([...document.querySelectorAll('[data-incident]')].map((row) => row.dataset.incident));

/** New incidents are shown as new. */
function markNew() {
  for (const row of document.querySelectorAll('[data-incident]')) {
    if (!known.has(row.dataset.incident)) row.classList.add('fresh');
    known.add(row.dataset.incident);
  }
}
const parts = gently(async () => {
  await takeParts(PARTS);
  markNew();
});

localTimes();
follow(
  { league: [Number(league)] },
  (type, event) => {
    if (String(event.match.id) !== match) return;
    patch(type, event);
    parts.later();
  },
  parts.now,
);
