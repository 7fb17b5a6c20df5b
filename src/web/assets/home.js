/** The front page: scores and minutes from each event, lists from the server when a match begins, ends or moves. */
import { follow, gently, localTimes, patch, takeParts } from './live.js';

const lists = gently(() => takeParts(['live', 'upcoming', 'results']));
/** These change what is listed where, whatever is shown now. */
const MOVES = new Set([
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
    if (MOVES.has(type) || (isListed ? !fits : event.match.status === 'live')) lists.later();
  },
  lists.now,
);
