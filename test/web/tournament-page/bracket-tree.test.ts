import assert from 'node:assert/strict';
import { bracketTree, inTreeOrder } from '../../../src/web/tournament-page/bracket-tree.ts';

type Rounds = Parameters<typeof bracketTree>[0]['rounds'];

const team = (id: number | null) => ({
  participant_id: id,
  name: id === null ? null : `Team ${id}`,
  name_ru: null,
  code: null,
  bye: false,
});
const matchup = (home: number | null, away: number | null, winner: number | null = null) => ({
  finished: winner !== null,
  result: winner === null ? null : '1:1 after extra time, 4:2 on penalties',
  home_score: winner === null ? null : '1',
  away_score: winner === null ? null : '1',
  teams: [team(home), team(away)],
  winner_id: winner,
  event_ids: home === null ? [] : [100 + home],
  legs: [],
});
const ROUNDS: Rounds = [
  {
    name: 'Quarter-finals',
    matchups: [matchup(1, 2, 1), matchup(3, 4, 4), matchup(5, 6, 5), matchup(7, 8, 8)],
  },
  { name: 'Semi-finals', matchups: [matchup(5, 8, 5), matchup(1, 4, 4)] },
  { name: 'Third place', matchups: [matchup(8, 1, 8)] },
  { name: 'Final', matchups: [matchup(4, 5, 4)] },
];

describe('the knock-out tree', () => {
  it('draws each pairing next to the two pairings that lead to it', () => {
    const tree = inTreeOrder(ROUNDS.filter(({ name }) => name !== 'Third place'));
    const ids = tree.map(({ matchups }) => matchups.map(({ teams }) => teams.map((one) => one.participant_id)));
    assert.deepEqual(ids, [
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
      ],
      [
        [1, 4],
        [5, 8],
      ],
      [[4, 5]],
    ]);
  });

  it('draws lines only between rounds where the later round has half as many pairings as the earlier one', () => {
    const { text } = bracketTree({ rounds: ROUNDS }, 'en', '../');
    assert.equal(text.match(/class="round joined"/g)!.length, 2);
    const uneven = ROUNDS.map((round, index) =>
      index === 0 ? { ...round, matchups: round.matchups.slice(1) } : round,
    );
    assert.equal(bracketTree({ rounds: uneven }, 'en', '').text.match(/class="round joined"/g)!.length, 1);
  });

  it('shows the third-place match separately, links matches and teams, and says how a tie was decided', () => {
    const { text } = bracketTree({ rounds: ROUNDS }, 'en', '../');
    assert.ok(text.indexOf('Third place') > text.indexOf('>Final<'));
    assert.match(text, /href="\.\.\/match\/104\/team-4-team-5">1:1 after extra time, 4:2 on penalties</);
    assert.match(text, /class="side won"><a class="name" href="\.\.\/team\/4\/team-4">/);
    const russian = bracketTree({ rounds: ROUNDS }, 'ru', '../').text;
    assert.match(russian, /1\/4 финала[\s\S]*1:1 после доп\. времени, 4:2 по пенальти[\s\S]*Матч за 3-е место/);
  });

  it('shows a side that is not known yet as such', () => {
    const { text } = bracketTree({ rounds: [{ name: 'Final', matchups: [matchup(null, null)] }] }, 'en', '');
    assert.equal(text.match(/To be decided/g)!.length, 2);
    assert.doesNotMatch(text, /href/);
  });
});
