import assert from 'node:assert/strict';
import { halfNames, toHalves } from '../../../src/web/tournament-page/bracket-halves.ts';
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
    const { text } = bracketTree({ rounds: ROUNDS }, { lang: 'en', root: '../', title: 'Play-offs', shape: 'tree' });
    assert.equal(text.match(/class="round joined"/g)!.length, 2);
    const uneven = ROUNDS.map((round, index) =>
      index === 0 ? { ...round, matchups: round.matchups.slice(1) } : round,
    );
    assert.equal(
      bracketTree({ rounds: uneven }, { lang: 'en', root: '', title: 'Play-offs', shape: 'tree' }).text.match(
        /class="round joined"/g,
      )!.length,
      1,
    );
  });

  it('shows the third-place match separately, links matches and teams, and says how a tie was decided', () => {
    const { text } = bracketTree({ rounds: ROUNDS }, { lang: 'en', root: '../', title: 'Play-offs', shape: 'tree' });
    assert.ok(text.indexOf('Third place') > text.indexOf('>Final<'));
    assert.match(text, /href="\.\.\/match\/104\/team-4-team-5">1:1 after extra time, 4:2 on penalties</);
    assert.match(text, /class="side won"><a class="name" href="\.\.\/team\/4\/team-4">/);
    const russian = bracketTree(
      { rounds: ROUNDS },
      { lang: 'ru', root: '../', title: 'Play-offs', shape: 'tree' },
    ).text;
    assert.match(russian, /1\/4 финала[\s\S]*1:1 после доп\. времени, 4:2 по пенальти[\s\S]*Матч за 3-е место/);
  });

  it('shows a side that is not known yet as such', () => {
    const { text } = bracketTree(
      { rounds: [{ name: 'Final', matchups: [matchup(null, null)] }] },
      { lang: 'en', root: '', title: 'Play-offs', shape: 'tree' },
    );
    assert.equal(text.match(/To be decided/g)!.length, 2);
    assert.doesNotMatch(text, /href/);
  });

  const halves = (rounds: Rounds) =>
    toHalves(rounds)?.halves.map(({ name, rounds: own }) => ({
      name,
      rounds: own.map((round) => [
        round.name,
        round.matchups.map(({ teams }) => teams.map((one) => one.participant_id).join('-')).join(' '),
      ]),
    }));
  const LEAGUES: Rounds = [
    { name: 'American League, Division Series', matchups: [matchup(1, 2, 1), matchup(3, 4, 3)] },
    { name: 'National League, Division Series', matchups: [matchup(5, 6, 5), matchup(7, 8, 7)] },
    { name: 'American League, Championship Series', matchups: [matchup(1, 3, 1)] },
    { name: 'National League, Championship Series', matchups: [matchup(5, 7, 5)] },
    { name: 'World Series', matchups: [matchup(5, 1, 1)] },
  ];
  const OF_LEAGUES = [
    {
      name: 'American League',
      rounds: [
        ['Division Series', '1-2 3-4'],
        ['Championship Series', '1-3'],
      ],
    },
    {
      name: 'National League',
      rounds: [
        ['Division Series', '5-6 7-8'],
        ['Championship Series', '5-7'],
      ],
    },
  ];

  it('is split by the leagues in the names of rounds, also while the final is unknown', () => {
    assert.deepEqual(halves(LEAGUES), OF_LEAGUES);
    assert.equal(toHalves(LEAGUES)!.final!.name, 'World Series');
    assert.deepEqual(halves(LEAGUES.slice(0, -1)), OF_LEAGUES);
    assert.equal(toHalves(LEAGUES.slice(0, -1))!.final, null);
  });

  it('is split by the way to the final if the names of rounds tell no leagues', () => {
    const rounds = ROUNDS.filter(({ name }) => name !== 'Third place');
    assert.deepEqual(halves(rounds), [
      {
        name: null,
        rounds: [
          ['Quarter-finals', '1-2 3-4'],
          ['Semi-finals', '1-4'],
        ],
      },
      {
        name: null,
        rounds: [
          ['Quarter-finals', '5-6 7-8'],
          ['Semi-finals', '5-8'],
        ],
      },
    ]);
  });

  it('stays one tree if a pairing leads to neither side of the final, or there is only a final', () => {
    const [quarters, semis, , final] = ROUNDS;
    const stray = { ...quarters!, matchups: [...quarters!.matchups, matchup(9, 10, 9)] };
    assert.equal(toHalves([stray, semis!, final!]), null);
    assert.equal(toHalves([final!]), null);
    assert.equal(toHalves([]), null);
    assert.equal(toHalves([semis!]), null, 'two semi-finals without a final');
    assert.equal(toHalves([semis!, { name: 'Final', matchups: [matchup(null, null)] }]), null, 'an unknown final');
    const { text } = bracketTree(
      { rounds: [stray, semis!, final!] },
      { lang: 'en', root: '', title: 'Play-offs', shape: 'halves' },
    );
    assert.equal(text.match(/class="tree"/g)!.length, 1);
  });

  it('shows both leagues apart, with their names in both languages, and straight lines after byes', () => {
    const wildCards = {
      name: 'American League, Wild Card Series',
      matchups: [matchup(4, 9, 4), matchup(2, 10, 2)],
    };
    const nationals = { name: 'National League, Wild Card Series', matchups: [matchup(6, 11, 6), matchup(8, 12, 8)] };
    const rounds = [wildCards, nationals, ...LEAGUES];
    const { text } = bracketTree({ rounds }, { lang: 'en', root: '', title: 'Play-offs', shape: 'halves' });
    assert.equal(text.match(/class="tree"/g)!.length, 3);
    assert.equal(text.match(/class="round straight"/g)!.length, 2);
    assert.doesNotMatch(text, /American League, /);
    assert.ok(text.indexOf('American League') < text.indexOf('National League'));
    assert.match(
      bracketTree({ rounds }, { lang: 'ru', root: '', title: 'Play-offs', shape: 'halves' }).text,
      /Американская лига/,
    );
    assert.equal(
      bracketTree({ rounds }, { lang: 'en', root: '', title: 'Play-offs', shape: 'tree' }).text.match(/class="tree"/g)!
        .length,
      1,
    );
  });

  it('names the halves after the conferences of their sides, unless these differ or are the same', () => {
    const { halves: both } = toHalves(ROUNDS.filter(({ name }) => name !== 'Third place'))!;
    const conferences = (nameOf: (side: number) => string) =>
      new Map([1, 2, 3, 4, 5, 6, 7, 8].map((side) => [side, nameOf(side)]));
    const named = conferences((side) => (side < 5 ? 'Eastern Conference' : 'Western Conference'));
    assert.deepEqual(halfNames(both, named), ['Eastern Conference', 'Western Conference']);
    for (const nameOf of [() => 'One Conference', (side: number) => `Conference ${side}`])
      assert.deepEqual(halfNames(both, conferences(nameOf)), [null, null]);
    assert.deepEqual(halfNames(both, new Map()), [null, null]);
    assert.deepEqual(halfNames(toHalves(LEAGUES)!.halves, new Map()), ['American League', 'National League']);
  });
});
