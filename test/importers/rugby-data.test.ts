import { strict as assert } from 'node:assert';
import { rugbyData } from '../../src/importers/rugby-data/rugby-data.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

type Score = [minute: number, type: string, player: string | null, value: number];
const side = (team: string, score: number, scores: Score[] = [], lineup: object = LINEUP) => ({
  team,
  score,
  scores: scores.map(([minute, type, player, value]) => ({ minute, type, player, value })),
  lineup,
  conference: null,
});
const person = (name: string, over: object = {}) => ({ name, on: [0], off: [], reds: [], yellows: [], ...over });
const LINEUP = {
  1: person('Ann Prop', { off: [50] }),
  10: person('Ten Half', { yellows: [30] }),
  17: person('Bench Prop', { on: [50] }),
  23: person('Never On', { on: [] }),
};
const match = (home: object, away: object, over: object = {}) => ({
  home,
  away,
  round: 3,
  round_type: 'league',
  stadium: 'Ground',
  date: '2024-10-12T14:05:00.000Z',
  attendance: 12_000,
  ...over,
});
const TRIES: Score[] = [
  [12, 'Try', 'Ten Half', 5],
  [13, 'Conversion', 'Ten Half', 2],
  [40, 'Penalty Try', null, 5],
  [70, 'Drop goal', 'Ten Half', 3],
];
const read = (matches: unknown, name = 'celtic-2024-2025.json') =>
  readAll(rugbyData, filesOf({ [name]: typeof matches === 'string' ? matches : JSON.stringify(matches) }));

describe('importer rugby-data', () => {
  after(removeFiles);

  it('reads scores, cards and players, and counts seven points for a penalty try', async () => {
    const { matches, faults } = await read([
      match(side('Leinster Rugby', 17, TRIES), side('Vodacom Bulls', 3, [[20, 'Penalty', 'Ten Half', 3]])),
    ]);
    assert.deepEqual(faults, []);
    const [found] = matches;
    assert.deepEqual(
      [
        found!.home.name,
        found!.away.name,
        found!.away.country,
        found!.season.label,
        found!.round_num,
        found!.scheduled_start,
      ],
      ['Leinster', 'Bulls', 'ZA', '2024/25', 3, '2024-10-12T14:05:00Z'],
    );
    assert.deepEqual(
      found!.incidents
        ?.filter(({ kind }) => kind === 'point')
        .map(({ minute, payload }) => [minute, payload?.point_type, payload?.points, payload?.score]),
      [
        [12, 'try', 5, { home: 5, away: 0 }],
        [13, 'conversion', 2, { home: 7, away: 0 }],
        [20, 'penalty', 3, { home: 7, away: 3 }],
        [40, 'penalty_try', 7, { home: 14, away: 3 }],
        [70, 'drop_goal', 3, { home: 17, away: 3 }],
      ],
    );
    const [card] = found!.incidents!.filter(({ kind }) => kind === 'card');
    assert.deepEqual([card!.player?.name, card!.payload], ['Ten Half', { card_type: 'yellow', sin_bin_minutes: 10 }]);
    const [change] = found!.incidents!.filter(({ kind }) => kind === 'subst');
    assert.deepEqual(change!.payload, { player_in: 'Bench Prop', player_out: 'Ann Prop' });
    const tries = found!.statistics?.find(({ stat_name }) => stat_name === 'Tries');
    assert.deepEqual([tries?.home_value, tries?.away_value], [2, 0]);
    assert.deepEqual(
      found!.lineups?.filter(({ side: of }) => of === 'home').map(({ is_substitute }) => is_substitute),
      [false, false, true, true],
    );
    const ten = found!.player_stats?.find(({ player, side: of }) => of === 'home' && player.name === 'Ten Half');
    assert.deepEqual([ten?.stats.points, ten?.stats.tries, ten?.stats.minutes, ten?.position], [10, 1, 80, 'Fly-half']);
    const minutes = Object.fromEntries(
      found!
        .player_stats!.filter(({ side: of }) => of === 'home')
        .map(({ player, stats }) => [player.name, stats.minutes]),
    );
    assert.deepEqual(
      minutes,
      { 'Ann Prop': 50, 'Ten Half': 80, 'Bench Prop': 30 },
      'a player who never came on has none',
    );
  });

  it('keeps a score that the points do not add up to, and reports the difference', async () => {
    const { matches, faults } = await read([match(side('Ospreys', 20, TRIES), side('Scarlets', 0, []))]);
    assert.deepEqual(matches[0]!.score, { home: 20, away: 0 });
    assert.deepEqual([matches[0]!.incidents, matches[0]!.statistics], [undefined, undefined]);
    assert.match(faults[0]!.detail, /the points of Ospreys add up to 17, not to 20/);
  });

  it('names knock-out rounds by their number of matches, and pools as listed', async () => {
    const knockout = { round_type: 'knockout' };
    const { matches } = await read(
      [
        match(side('Toulon', 20), side('Racing 92', 10), { round: 1 }),
        match(side('Toulon', 20), side('Toulouse', 10), { ...knockout, round: 7 }),
        match(side('Leinster Rugby', 20), side('Northampton Saints', 10), { ...knockout, round: 7 }),
        match(side('Northampton Saints', 20), side('Bordeaux-Begles', 28), { ...knockout, round: 8 }),
      ],
      'euro-champions-2024-2025.json',
    );
    assert.deepEqual(
      matches.map(({ round_name, group_name }) => [round_name, group_name]),
      [
        ['Round 1', 'Pool 4'],
        ['Semi-finals', undefined],
        ['Semi-finals', undefined],
        ['Final', undefined],
      ],
    );
  });

  it('records who won a knock-out match that ended level', async () => {
    const level = match(side('Hollywoodbets Sharks', 24), side('Munster Rugby', 24), {
      round: 19,
      round_type: 'knockout',
      date: '2025-05-31T16:30:00.000Z',
    });
    const { matches } = await read([level]);
    assert.deepEqual(
      [matches[0]!.status_detail, matches[0]!.period_scores],
      ['after_penalties', [{ period: 'PEN', home: 6, away: 4 }]],
    );
  });

  it('reports rows that are not matches, and reads the rest', async () => {
    const good = match(side('Ospreys', 10), side('Scarlets', 7));
    const { matches, faults } = await read([
      { date: '2024-10-12' },
      match(side('Ospreys', 10), side('Ospreys', 7)),
      match(side('Ospreys', -1), side('Scarlets', 7)),
      match(side('Ospreys', 10), side('Nowhere RFC', 7)),
      match(side('Ospreys', 10), side('Scarlets', 7), { date: 'soon' }),
      good,
    ]);
    assert.equal(matches.length, 1);
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      [
        'the sides, the date, the round or the score is missing',
        'both sides are the same team',
        'the sides, the date, the round or the score is missing',
        'the country of the team Nowhere RFC is not known',
        '"soon" is not a date',
      ],
    );
  });

  it('loses only the matches whose text is damaged', async () => {
    const good = match(side('Ospreys', 10), side('Scarlets', 7));
    const text = JSON.stringify([match(side('Leinster Rugby', 1), side('Ulster Rugby', 0)), good]);
    const damaged = Buffer.from(text.replace('Ann Prop', 'Ånn Prøp').replace('Ten Half', 'T\u0001n Half'), 'utf8');
    damaged[damaged.indexOf(1)] = 0xff;
    const { matches, faults } = await readAll(rugbyData, filesOf({ 'celtic-2024-2025.json': damaged }));
    assert.deepEqual(
      matches.map(({ home }) => home.name),
      ['Ospreys'],
    );
    assert.match(faults[0]!.detail, /not UTF-8/);
  });

  it('refuses files from other competitions and in unknown formats', async () => {
    const readFault = async (content: unknown, name?: string) =>
      (await read(content, name)).faults.map(({ detail }) => detail).join();
    assert.match(await readFault([], 'nfl-2024-2025.json'), /the competition nfl is not known/);
    assert.match(await readFault('{"matches": []}'), /is not a list of matches/);
    assert.match(await readFault('[{"home": '), /cannot be read/);
  });
});
