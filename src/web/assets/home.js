/**
 * The front page's script. Each event updates scores and minutes at once. When a match starts, ends or moves, the list is fetched from the
 * server.
 */
import { showFavourites } from './favourites.js';
import { follow, patch, replaceParts, throttled } from './live.js';

const list = throttled(async () => {
  await replaceParts(['day', 'table']);
  showFavourites();
});

// Only today has live matches.
if (document.body.dataset.isToday === 'true') {
  follow('live', {
    onEvent(event) {
      if (event.type === 'refresh' || !patch(event)) list.later();
    },
    refresh: list.now,
  });
} else document.getElementById('connection').hidden = true;
