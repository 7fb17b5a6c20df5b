import { defineSport } from './sport.ts';
import { figureWord, numbered, STADIUM, word } from './sport-words.ts';

export const cricket = defineSport({
  id: 15,
  slug: 'cricket',
  name: 'Cricket',
  name_ru: 'Крикет',
  takeoverMinutes: 15,
  awaitingAfterStart: 2880,
  awaitingAfterSilence: 1440,
  usualMinutes: 480,
  starters: 11,
  incidents: ['var', 'point'],
  unit: 'runs',
  lineScore: ['Overs'],
  wickets: 'wicket',
  trends: ['won', 'drawn', 'lost', 'unbeaten', 'winless'],
  state: 'period',
  words: {
    start: word('Start of play', 'Начало'),
    statuses: {
      ended: word('Result', 'Завершён'),
      after_extra_time: word('After a super over', 'В супер-овере'),
      abandoned: word('No result', 'Без результата'),
    },
    breaks: { usual: word('Innings break', 'Перерыв между иннингсами') },
    periods: { I: numbered('Innings', ['иннингс', 'иннингса'], 'm') },
    byPeriod: word('Runs by innings', 'Раны по иннингсам'),
    total: figureWord('R', 'Runs', 'Р', 'Раны'),
    venue: STADIUM,
    referee: word('Umpires', 'Судьи'),
    review: word('DRS', 'DRS'),
    sign: 'run',
    incidents: { wicket: { name: word('Wicket', 'Калитка'), sign: 'wicket' } },
    figures: { goals: figureWord('R', 'Runs', 'Р', 'Раны') },
  },
});
