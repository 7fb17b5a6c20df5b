/** The front page: scores and minutes from each event; lists from the server when a match starts, ends or moves. */
import { follow, localTimes, patch, replaceParts, throttled } from './live.js';

const lists = throttled(() => replaceParts(['live', 'upcoming', 'results']));
/** Events that add a match to a list, remove it or move it. */
const LIST_CHANGES = new Set([
  'match.created',
  'match.started',
  'match.finished',
  'match.deleted',
  'match.rescheduled',
  'match.postponed',
  'match.cancelled',
  'match.abandoned',
  'match.correction',
]);

localTimes();
follow(
  {},
  (type, event) => {
    const fits = patch(type, event);
    const isListed = document.querySelector(`[data-match="${event.match.id}"]`) !== null;
    if (LIST_CHANGES.has(type) || (isListed ? !fits : event.match.status === 'live')) lists.later();
  },
  lists.now,
);
