/** The match page's script. Each event updates the score at once. Soon afterwards, all parts are fetched from the server. */
import { follow, patch, replaceParts, throttled } from './live.js';

const { match } = document.body.dataset;
const PARTS = [
  ...[
    'head',
    'tabs',
    'none',
    'table',
    'timeline',
    'commentary',
    'chances',
    'momentum',
    'scorecard',
    'run-charts',
    'statistics',
    'shots',
    'box-score',
    'lineups',
    'sources',
  ],
  ...['forecast', 'meetings', 'form', 'standing', 'trends', 'disclaimer'],
];
const known = new Set([...document.querySelectorAll('[data-incident]')].map((row) => row.dataset.incident));

/** Highlights new incidents. */
function markNew() {
  for (const row of document.querySelectorAll('[data-incident]')) {
    if (!known.has(row.dataset.incident)) row.classList.add('fresh');
    known.add(row.dataset.incident);
  }
}
const parts = throttled(async () => {
  await replaceParts(PARTS);
  markNew();
});

follow(`live?match=${match}`, {
  onEvent(event) {
    if (event.type !== 'refresh') patch(event);
    parts.later();
  },
  refresh: parts.now,
  /** Only a live match has a stream. Without one, the page is just fetched again now and then. */
  isWanted: () => document.getElementById('head').dataset.status === 'live',
});
