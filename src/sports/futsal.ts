import { countFootballCards, football } from './football.ts';
import { defineSport, WITH_DRAWS } from './sport.ts';
import { word } from './sport-words.ts';
import { BY_DIFFERENCE, THREE_POINTS } from './table-defaults.ts';

export const futsal = defineSport({
  id: 16,
  slug: 'futsal',
  name: 'Futsal',
  name_ru: 'Футзал',
  takeoverMinutes: 5,
  awaitingAfterStart: 240,
  awaitingAfterSilence: 120,
  usualMinutes: 90,
  starters: 5,
  unit: 'goals',
  score: { periods: 2, countedBy: 'goal' },
  positionsRu: {
    g: 'вратарь',
    gk: 'вратарь',
    d: 'защитник',
    fx: 'фиксо',
    m: 'полузащитник',
    al: 'ала',
    f: 'нападающий',
    pv: 'пивот',
  },
  incidents: ['goal', 'penalty', 'penalty_shootout', 'card', 'injury_time'],
  notified: ['goal', 'card', 'penalty_shootout', 'break'],
  countCards: countFootballCards,
  table: { points: THREE_POINTS, tie_breaks: BY_DIFFERENCE },
  trends: [...WITH_DRAWS, 'clean_sheet'],
  leaders: [
    'goals',
    'assists',
    'goals_and_assists',
    'penalties',
    'own_goals',
    'yellow_cards',
    'red_cards',
    'cards',
    'matches',
    'starts',
  ],
  ground: 'circle',
  goalMinutes: { step: 10, end: 40 },
  words: { ...football.words, venue: word('Venue', 'Зал') },
});
