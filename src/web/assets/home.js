/**
 * The front page's script. Each event updates scores and minutes at once. The list is fetched from the server when a
 * match starts, ends or moves.
 */
import { showFavourites } from './favourites.js';
import { follow, patch, replaceParts, throttled } from './live.js';

const list = throttled(async () => {
  await replaceParts(['day']);
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
