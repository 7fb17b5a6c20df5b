/** The front page: scores and minutes from each event; lists from the server when a match starts, ends or moves. */
import { follow, localTimes, patch, replaceParts, throttled } from './live.js';

const lists = throttled(() => replaceParts(['live', 'upcoming', 'results']));

localTimes();
follow('live', {
  onEvent(event) {
    if (event.type === 'refresh' || !patch(event)) lists.later();
  },
  refresh: lists.now,
});
