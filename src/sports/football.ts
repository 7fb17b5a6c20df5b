import { type CardTally, defineSport } from './sport.ts';
import { COMMON_FIGURES, FULL_TIME, figureWord, GOALS, HALF_TIME, HALVES, once, STADIUM, word } from './sport-words.ts';
import { BY_DIFFERENCE, THREE_POINTS, TWO_POINTS } from './table-defaults.ts';

/**
 * Counts a player's cards. A player can be sent off only once, by a red card or by a second yellow card. A source may
 * send the second card as yellow, as red, or as both.
 */
export function countFootballCards({ yellow_cards, red_cards }: CardTally): CardTally {
  const isSentOff = red_cards > 0 || yellow_cards > 1;
  return { yellow_cards: Math.min(1, yellow_cards), red_cards: isSentOff ? 1 : 0 };
}

export const football = defineSport({
  id: 1,
  slug: 'football',
  name: 'Football',
  name_ru: 'Футбол',
  takeoverMinutes: 5,
  awaitingAfterStart: 240,
  awaitingAfterSilence: 120,
  regularMinutes: 90,
  periodEnds: [45, 90, 105],
  playerMinutes: { regular: 90, withExtraTime: 120 },
  starters: 11,
  unit: 'goals',
  score: { periods: 2, countedBy: 'goal' },
  positionsRu: 'lines',
  incidents: ['goal', 'penalty', 'penalty_shootout', 'card', 'var', 'injury_time'],
  notified: ['goal', 'penalty', 'penalty_shootout', 'card', 'break'],
  countCards: countFootballCards,
  blocks: ['shotmap', 'momentum'],
  shootOutDraws: true,
  // In international matches, including those between clubs, three points for a win became the rule in 1995.
  table: {
    points: THREE_POINTS,
    tie_breaks: BY_DIFFERENCE,
    formerInternational: { before: '1995', points: TWO_POINTS },
  },
  goalModel: 'fitted',
  elo: true,
  trends: [
    'won',
    'lost',
    'unbeaten',
    'winless',
    'over_1_5',
    'over_2_5',
    'over_3_5',
    'under_2_5',
    'btts',
    'scored',
    'scored_two',
    'failed_to_score',
    'conceded',
    'conceded_two',
    'clean_sheet',
  ],
  page: { cleanSheets: true, goalShares: true },
  leaders: COMMON_FIGURES,
  ground: 'circle',
  goalMinutes: { step: 15, end: 90 },
  words: {
    emoji: '⚽',
    start: word('Kick-off', 'Начало'),
    statuses: {
      ended: FULL_TIME,
      after_penalties: word('After penalties', 'По пенальти'),
      penalties: word('Penalties', 'Пенальти'),
    },
    breaks: { usual: word('Break', 'Перерыв'), after: { 1: HALF_TIME } },
    periods: { ...HALVES, PEN: once('Shoot-out', 'Серия пенальти', 'серии пенальти') },
    shootOut: { short: word('pens', 'пен.'), won: word('{team} won on penalties', 'по пенальти: {team}') },
    venue: STADIUM,
    bench: word('Substitutes', 'Запасные'),
    review: word('VAR', 'VAR'),
    sign: 'ball',
    figures: { goals: GOALS, conceded: figureWord('GA', 'Conceded', 'ПМ', 'Пропущено') },
  },
});
