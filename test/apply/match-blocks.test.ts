import assert from 'node:assert/strict';
import { fraction } from '../../src/apply/merge/odds.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { BLOCK_NAMES } from '../../src/wire/match.ts';
import { CRICKET_GIVEN, FOOTBALL_GIVEN, footballShown, MMA_GIVEN, TENNIS_GIVEN } from '../support/blocks.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

describe('match blocks', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(() => bench.nextMatch());

  const striker = async () => {
    const { rows } = await bench.db.pool.query(
      "SELECT entity_id FROM external_ref WHERE entity = 'player' AND provider = 'live' AND external_id = 'p9'",
    );
    return rows[0].entity_id as number;
  };
  const coach = async () => {
    const { rows } = await bench.db.pool.query("SELECT id FROM participant WHERE type = 'coach' AND name = 'Boss'");
    assert.equal(rows.length, 1);
    return rows[0].id as number;
  };

  it('each football block is written and read back', async () => {
    const fields: MatchFields = {
      round_num: 3,
      round_name: 'Matchday 3',
      venue: { id: 'v1', name: 'The Ground', city: 'Town', country: 'GB-ENG', capacity: 1234 },
      referee: 'A. Whistle',
      attendance: 1200,
      importance: 77,
      start_time: '15:00 BST',
      status: 'live',
      status_detail: 'in_play',
      minute: 12,
      score: { home: 1, away: 0 },
      period_scores: [{ period: '1H', home: 1, away: 0 }],
      lineup_confirmed: true,
      season: { label: '2023/24' },
      ...FOOTBALL_GIVEN,
    };
    const id = await bench.accept(fields);
    const card = await bench.card(id);
    const shown = footballShown(await striker(), await coach());
    for (const [block, value] of Object.entries(shown))
      assert.deepEqual(card[block as keyof typeof card], value, block);
    const { venue, venue_city, venue_capacity, referee, attendance, season_label, round_num, round_name } = card;
    assert.deepEqual(
      { venue, venue_city, venue_capacity, referee, attendance, season_label, round_num, round_name },
      {
        venue: 'The Ground',
        venue_city: 'Town',
        venue_capacity: 1234,
        referee: 'A. Whistle',
        attendance: 1200,
        season_label: '2023/24',
        round_num: 3,
        round_name: 'Matchday 3',
      },
    );
    assert.deepEqual(card.extra, {
      period_scores: [{ period: '1H', home: 1, away: 0 }],
      season: '2023/24',
      round: 'Matchday 3',
      start_time: '15:00 BST',
    });
    assert.deepEqual([card.status, card.minute, card.importance, card.lineup_confirmed], ['live', 12, 77, true]);
    assert.deepEqual(
      card.participants.map(({ name, side, score }) => [name, side, score]),
      [
        ['Home 1', 'home', 1],
        ['Away 1', 'away', 0],
      ],
    );
    // Checks that every block is covered: football's blocks here, and those of other sports below.
    const covered = new Set([
      ...Object.keys(shown),
      ...[TENNIS_GIVEN, CRICKET_GIVEN, MMA_GIVEN].flatMap((given) => Object.keys(given)),
    ]);
    assert.deepEqual(
      BLOCK_NAMES.filter((block) => !covered.has(block)),
      [],
    );
  });

  it('blocks of every sport except football are written and read back', async () => {
    const one = (side: string) => ({ id: `${side}-player`, type: 'player' as const, name: `Player ${side}` });
    const tour = { id: 't1', name: 'The Tour', country: 'INT' };
    const tennis = await bench.accept({
      sport: 'tennis',
      tournament: tour,
      home: one('left'),
      away: one('right'),
      ...TENNIS_GIVEN,
    });
    assert.deepEqual((await bench.card(tennis)).points_history, TENNIS_GIVEN.points_history);
    bench.nextMatch();
    const mma = await bench.accept({
      sport: 'mma',
      tournament: { ...tour, id: 't2' },
      home: one('red'),
      away: one('blue'),
      ...MMA_GIVEN,
    });
    assert.deepEqual((await bench.card(mma)).fight, MMA_GIVEN.fight);
    bench.nextMatch();
    const league = { sport: 'cricket', tournament: { ...tour, id: 't3' } };
    const cricket = await bench.accept({ ...league, ...CRICKET_GIVEN });
    assert.deepEqual((await bench.card(cricket)).innings, CRICKET_GIVEN.innings);
  });

  it('a block from the wrong sport is rejected with the path', () => {
    const misplaced: [sport: string, given: MatchFields][] = [
      ['tennis', { shotmap: [] }],
      ['tennis', { momentum: { graphPoints: [] } }],
      ['football', TENNIS_GIVEN],
      ['football', MMA_GIVEN],
      ['football', CRICKET_GIVEN],
    ];
    for (const [sport, given] of misplaced) {
      const result = feedUpdate.safeParse(bench.update({ sport, ...given }));
      assert.deepEqual(
        result.error?.issues.map(({ path }) => path),
        [['match', Object.keys(given)[0]]],
      );
    }
  });

  it('an update without a block leaves it unchanged, and an update with an empty block empties it', async () => {
    const id = await bench.accept(FOOTBALL_GIVEN);
    const before = await bench.card(id);
    await bench.accept({ minute: 5, status: 'live' });
    const unchanged = await bench.card(id);
    for (const block of BLOCK_NAMES) assert.deepEqual(unchanged[block], before[block], block);
    const lists = [
      'incidents',
      'statistics',
      'lineups',
      'player_stats',
      'coaches',
      'missing_players',
      'shotmap',
      'odds',
    ];
    lists.push('best_players', 'highlights', 'commentary');
    const empty = Object.fromEntries(lists.map((block) => [block, []]));
    const none = { momentum: { graphPoints: [] }, average_positions: { home: [], away: [] }, tv_channels: {} };
    await bench.accept({ ...empty, ...none, win_probability: null, votes: null, weather: null });
    const emptied = await bench.card(id);
    for (const block of lists) assert.deepEqual(emptied[block as keyof typeof emptied], [], block);
    for (const [block, value] of Object.entries(none))
      assert.deepEqual(emptied[block as keyof typeof emptied], value, block);
    assert.equal(emptied.weather, null);
    for (const block of ['win_probability', 'votes', 'fight'])
      assert.ok(!(block in emptied), `${block} is still there`);
    assert.deepEqual(new Set(Object.values(emptied.meta.completeness)), new Set(['none']));
  });

  it('null is rejected for a list, because an empty list can be sent', () => {
    for (const block of ['incidents', 'lineups', 'statistics', 'odds', 'tv_channels', 'momentum']) {
      const result = feedUpdate.safeParse(bench.update({ [block]: null }));
      assert.deepEqual(
        result.error?.issues.map(({ path }) => path.join('.')),
        [`match.${block}`],
      );
    }
  });

  it('null removes a field, and an omitted field stays', async () => {
    const fields = { referee: 'R', attendance: 5, importance: 60, round_num: 1, round_name: 'One', minute: 3 };
    const venue = { name: 'The Park', country: 'GB-ENG' };
    const id = await bench.accept({ status: 'live', venue, ...fields });
    await bench.accept({ score: { home: 1, away: 0 } });
    const unchanged = await bench.card(id);
    assert.deepEqual({ ...fields, venue: 'The Park' }, {
      referee: unchanged.referee,
      attendance: unchanged.attendance,
      importance: unchanged.importance,
      round_num: unchanged.round_num,
      round_name: unchanged.round_name,
      minute: unchanged.minute,
      venue: unchanged.venue,
    } as object);
    const nulls = Object.fromEntries(Object.keys(fields).map((field) => [field, null]));
    await bench.accept({ ...nulls, venue: null });
    const gone = await bench.card(id);
    assert.deepEqual(
      [gone.referee, gone.attendance, gone.round_num, gone.round_name, gone.minute, gone.venue, gone.extra.round],
      [null, null, null, null, null, null, null],
    );
    assert.equal(gone.importance, 30, "the tournament's own");
  });

  it('a card reports how complete each block is', async () => {
    const id = await bench.accept({ statistics: FOOTBALL_GIVEN.statistics, lineups: FOOTBALL_GIVEN.lineups, odds: [] });
    const partial = await bench.card(id);
    const { completeness } = partial.meta;
    assert.deepEqual(
      [completeness.statistics, completeness.lineups, completeness.odds, completeness.shotmap, completeness.fight],
      ['partial', 'partial', 'none', 'none', undefined],
    );
    assert.deepEqual(partial.meta.sources, ['live']);
    await bench.accept({ lineup_confirmed: true });
    assert.equal((await bench.card(id)).meta.completeness.lineups, 'partial', 'a line-up of one player');
    await bench.accept({ status: 'finished', score: { home: 0, away: 0 } });
    const finished = (await bench.card(id)).meta;
    assert.deepEqual([finished.completeness.statistics, finished.completeness.odds], ['full', 'none']);
  });

  it('a card has the time when a block last changed', async () => {
    const id = await bench.accept();
    assert.equal((await bench.card(id)).meta.last_detail_at, null);
    await bench.accept({ statistics: FOOTBALL_GIVEN.statistics });
    const at = (await bench.card(id)).meta.last_detail_at;
    assert.equal(at, new Date(bench.now).toISOString().replace('.000', ''));
    await bench.accept({ referee: 'R' });
    assert.equal((await bench.card(id)).meta.last_detail_at, at);
  });

  it('a block keeps its key order, and an update with a different order is not a change', async () => {
    const incident = (payload: object) => ({ incidents: [{ id: 'k', kind: 'var', payload: payload as never }] });
    const id = await bench.accept(incident({ z: 1, a: { y: 2, b: 3 } }));
    const text = async () =>
      (await bench.db.pool.query("SELECT json FROM match_block WHERE match_id = $1 AND block = 'incidents'", [id]))
        .rows[0].json as string;
    const sent = await text();
    assert.match(sent, /\{"z":1,"a":\{"y":2,"b":3\}\}/);
    await bench.events();
    const [again] = await bench.feed(bench.update(incident({ a: { b: 3, y: 2 }, z: 1 })));
    assert.equal(again!.outcome, 'unchanged');
    assert.equal(await text(), sent);
    assert.deepEqual(await bench.events(), []);
  });
});

describe('odds', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(() => bench.nextMatch());

  it('are shown as fractions in lowest terms', () => {
    const prices: [number, string][] = [
      [2.5, '3/2'],
      [2, '1/1'],
      [1.01, '1/100'],
      [1.2857, '2857/10000'],
      [11, '10/1'],
      [1.0001, '1/10000'],
      [1.000_001, '1/10000'],
      [10_000, '9999/1'],
    ];
    for (const [decimal, expected] of prices) assert.equal(fraction(decimal), expected);
  });

  const price = (decimal_value: number, over: object = {}) => ({
    market_name: 'Full time',
    choice_name: '1',
    decimal_value,
    ...over,
  });
  const shown = async (id: number) =>
    (await bench.card(id)).odds!.map(({ fractional_value, opening_value, opening_decimal, movement }) => [
      fractional_value,
      opening_value,
      opening_decimal,
      movement,
    ]);

  it('have a movement, and the first price becomes the opening price after the first change', async () => {
    const id = await bench.accept({ odds: [price(2)] });
    assert.deepEqual(await shown(id), [['1/1', null, null, null]]);
    await bench.events();
    const [repeated] = await bench.feed(bench.update({ odds: [price(2)] }));
    assert.equal(repeated!.outcome, 'unchanged');
    assert.deepEqual(await bench.events(), []);
    await bench.accept({ odds: [price(2.5)] });
    assert.deepEqual(await shown(id), [['3/2', '1/1', 2, 'up']]);
    assert.deepEqual(types(await bench.events()), ['match.odds_changed']);
    await bench.accept({ odds: [price(2.25)] });
    assert.deepEqual(await shown(id), [['5/4', '1/1', 2, 'down']]);
    await bench.accept({ odds: [price(2.25, { winning: true })] });
    assert.deepEqual(await shown(id), [['5/4', '1/1', 2, 'down']]);
    await bench.accept({ odds: [price(2.25, { opening_decimal: 1.5 })] });
    assert.deepEqual(await shown(id), [['5/4', '1/2', 1.5, 'down']]);
  });

  it('stay separate for different bookmakers and groups, even if names are equal', async () => {
    const odds = [
      price(2, { bookmaker: 'A' }),
      price(3, { bookmaker: 'B' }),
      price(4, { market_group: 'first half' }),
      price(5),
      price(6),
    ];
    const id = await bench.accept({ odds });
    await bench.events();
    assert.equal((await bench.feed(bench.update({ odds })))[0]!.outcome, 'unchanged');
    await bench.accept({ odds: odds.map((one, index) => (index === 4 ? price(7) : one)) });
    assert.deepEqual(
      (await shown(id)).map(([, , , movement]) => movement),
      [null, null, null, null, 'up'],
    );
  });
});
