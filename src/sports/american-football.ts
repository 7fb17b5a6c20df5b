import { defineSport } from './sport.ts';
import { BY_DIFFERENCE, TWO_POINTS } from './table-defaults.ts';

export const americanFootball = defineSport({
  id: 9,
  slug: 'american-football',
  name: 'American football',
  name_ru: 'Американский футбол',
  takeoverMinutes: 10,
  awaitingAfterStart: 360,
  awaitingAfterSilence: 120,
  usualMinutes: 210,
  score: { countedBy: 'point' },
  incidents: ['point'],
  // A tie is rare, and half a win.
  draws: true,
  table: {
    points: TWO_POINTS,
    tie_breaks: ['win_percentage', 'head_to_head_win_percentage', ...BY_DIFFERENCE],
    columns: [
      'played',
      'wins',
      'losses',
      'draws',
      'win_percentage',
      'games_behind',
      'scores_for',
      'scores_against',
      'goal_difference',
    ],
  },
  // A draw is rare or ruled out, so unbeaten would be the same as won.
  trends: ['won', 'lost'],
});
