import assert from 'node:assert/strict';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';

type Side = 'home' | 'away';

describe('card completeness', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(() => bench.nextMatch());

  const shown = async (block: string, ...updates: MatchFields[]) => {
    let id = 0;
    for (const match of updates) id = await bench.accept(match);
    return (await bench.card(id)).meta.completeness[block];
  };
  const over = (home: number, away: number): MatchFields => ({ status: 'finished', score: { home, away } });
  const each = <T>(home: number, away: number, make: (side: Side, index: number) => T): T[] => [
    ...Array.from({ length: home }, (_, index) => make('home', index)),
    ...Array.from({ length: away }, (_, index) => make('away', index)),
  ];
  const lineups = (home: number, away: number, substitutes = 0) => ({
    lineups: [false, true].flatMap((is_substitute) =>
      each(is_substitute ? substitutes : home, is_substitute ? substitutes : away, (side, index) => ({
        side,
        player: { name: `${side} ${index} ${is_substitute}` },
        is_substitute,
        stats: { is_substitute: false, side: 'away' },
      })),
    ),
  });
  const goals = (home: number, away: number, more: object = {}) => ({
    incidents: each(home, away, (side, index) => ({ id: `${side}${index}`, kind: 'goal', side, ...more })),
  });

  it('a line-up is full once it is official and has both sides’ starters', async () => {
    assert.equal(await shown('lineups', { ...lineups(11, 11), lineup_confirmed: false }), 'partial');
    assert.equal(await shown('lineups', { lineup_confirmed: true }), 'full');
    assert.equal(await shown('lineups', lineups(1, 0)), 'partial', 'one player');
    assert.equal(await shown('lineups', lineups(11, 10, 7)), 'partial', 'a side of ten, with substitutes');
    assert.equal(await shown('lineups', lineups(22, 0)), 'partial', 'one side');
    assert.equal(await shown('lineups', lineups(12, 11)), 'full');
    assert.equal(await shown('lineups', { lineups: [] }), 'none');
  });

  it('a line-up that is not official is full once the match is over and it has both sides’ starters', async () => {
    assert.equal(await shown('lineups', { ...lineups(1, 1), ...over(0, 0) }), 'partial');
    assert.equal(await shown('lineups', lineups(11, 11)), 'full');
  });

  it('a line-up needs the sport’s number of starters, or only the official flag in a sport without such a number', async () => {
    const tournament = { id: 'other', name: 'Other League', country: 'GB-ENG' };
    const official = { tournament, lineup_confirmed: true };
    for (const [sport, starters] of [
      ['basketball', 5],
      ['ice-hockey', 6],
      ['volleyball', 6],
      ['handball', 7],
      ['baseball', 9],
      ['aussie-rules', 18],
      ['futsal', 5],
    ] as const) {
      bench.nextMatch();
      assert.equal(
        await shown('lineups', { ...official, sport, ...lineups(starters, starters - 1) }),
        'partial',
        sport,
      );
      assert.equal(await shown('lineups', { ...official, sport, ...lineups(starters, starters) }), 'full', sport);
    }
    bench.nextMatch();
    const rugby = { tournament, sport: 'rugby' };
    assert.equal(await shown('lineups', { ...rugby, ...lineups(15, 15) }), 'partial');
    assert.equal(await shown('lineups', { ...rugby, lineup_confirmed: true }), 'full');
  });

  it('incidents are full when their goals add up to the final score', async () => {
    assert.equal(await shown('incidents', { status: 'live', score: { home: 2, away: 1 }, ...goals(2, 1) }), 'partial');
    assert.equal(await shown('incidents', over(2, 1)), 'full');
    assert.equal(await shown('incidents', goals(2, 0)), 'partial', 'one is missing');
    assert.equal(await shown('incidents', goals(1, 2)), 'partial', 'of the other side');
    assert.equal(await shown('incidents', goals(3, 1)), 'partial', 'one too many');
    const card = { kind: 'card', side: 'home' as const };
    const kicks = each(5, 4, (side) => ({ kind: 'penalty_shootout', side, payload: { scored: true } }));
    assert.equal(
      await shown('incidents', {
        incidents: [card, ...goals(2, 1, { payload: { goal_type: 'own_goal' } }).incidents, ...kicks],
      }),
      'full',
    );
  });

  it('incidents in a goalless match are full if there is at least one', async () => {
    assert.equal(await shown('incidents', { ...over(0, 0), incidents: [] }), 'none');
    assert.equal(await shown('incidents', { incidents: [{ kind: 'card', side: 'home' }] }), 'full');
  });

  it('incidents of every sport except football are compared with the score in points or sets', async () => {
    const tournament = { id: 'other', name: 'Other League', country: 'GB-ENG' };
    const points = (...list: [Side, unknown][]) => ({
      incidents: list.map(([side, value], index) => ({
        id: `p${index}`,
        kind: 'point',
        side,
        payload: { points: value },
      })),
    });
    const basketball = { tournament, sport: 'basketball', ...over(5, 2) };
    assert.equal(await shown('incidents', { ...basketball, ...points(['home', 3], ['home', 2], ['away', 2]) }), 'full');
    assert.equal(await shown('incidents', { ...basketball, ...points(['home', 3], ['away', 2]) }), 'partial');
    assert.equal(
      await shown('incidents', { ...basketball, ...points(['home', '5'], ['away', 2]) }),
      'partial',
      'a text is no number',
    );
    bench.nextMatch();
    const sets = each(2, 1, (side) => ({ kind: 'set_end', side }));
    const tennis = {
      tournament,
      sport: 'tennis',
      ...over(2, 1),
      incidents: [...sets, { kind: 'point', side: 'home' as const }],
    };
    assert.equal(await shown('incidents', tennis), 'full');
    bench.nextMatch();
    const mma = { tournament, sport: 'mma', ...over(1, 0), incidents: [{ kind: 'other' }] };
    assert.equal(await shown('incidents', mma), 'full', 'nothing to be counted');
  });

  it('statistics are full when the match is over and both sides have each figure', async () => {
    const figure = (home: number | null, away: number | null, away_text: string | null = null) => ({
      period: 'ALL',
      group_name: null,
      stat_name: `"home_value":null ${home} ${away} ${away_text}`,
      home_value: home,
      away_value: away,
      home_text: null,
      away_text,
    });
    assert.equal(await shown('statistics', { status: 'live', statistics: [figure(1, 2)] }), 'partial');
    assert.equal(await shown('statistics', over(0, 0)), 'full');
    assert.equal(await shown('statistics', { statistics: [figure(1, 2), figure(0, null, '0')] }), 'full');
    assert.equal(await shown('statistics', { statistics: [figure(1, 2), figure(3, null)] }), 'partial');
  });

  it('players, coaches, shots and best players are full with entries for both sides', async () => {
    const stats = (home: number, away: number) => ({
      player_stats: each(home, away, (side, index) => ({ side, player: { name: `${side} ${index}` }, stats: {} })),
    });
    assert.equal(await shown('player_stats', { ...over(0, 0), ...stats(11, 10) }), 'partial');
    assert.equal(await shown('player_stats', stats(11, 11)), 'full');
    const coaches = (home: number, away: number) => ({
      coaches: each(home, away, (side) => ({ side, coach_name: 'C' })),
    });
    assert.equal(await shown('coaches', coaches(2, 0)), 'partial');
    assert.equal(await shown('coaches', coaches(1, 1)), 'full');
    const shots = (home: number, away: number) => ({
      shotmap: each(home, away, (side) => ({
        side,
        player: { name: 'S' },
        minute: 1,
        xg: null,
        shotType: 'miss',
        situation: null,
        bodyPart: null,
        x: null,
        y: null,
      })),
    });
    assert.equal(await shown('shotmap', shots(3, 0)), 'partial');
    assert.equal(await shown('shotmap', shots(1, 1)), 'full');
    const best = (home: number, away: number) => ({
      best_players: each(home, away, (side) => ({ side, rating: 8, player_name: 'B', position: null })),
    });
    assert.equal(await shown('best_players', best(0, 1)), 'partial');
    assert.equal(await shown('best_players', best(1, 1)), 'full');
    const spots = (count: number) => Array.from({ length: count }, () => ({ player_name: 'P', x: 1, y: 1 }));
    assert.equal(
      await shown('average_positions', { average_positions: { home: spots(11), away: spots(10) } }),
      'partial',
    );
    assert.equal(await shown('average_positions', { average_positions: { home: spots(11), away: spots(11) } }), 'full');
  });

  it('coaches in a scheduled match are full if both sides have one', async () => {
    assert.equal(await shown('coaches', { coaches: each(1, 0, (side) => ({ side, coach_name: 'C' })) }), 'partial');
    assert.equal(await shown('coaches', { coaches: each(1, 1, (side) => ({ side, coach_name: 'C' })) }), 'full');
  });

  it('momentum is full when it reaches the end of regular time', async () => {
    const until = (minute: number) => ({
      momentum: {
        graphPoints: [
          { minute: 1, value: 5 },
          { minute, value: -5 },
        ],
      },
    });
    assert.equal(await shown('momentum', { ...over(0, 0), ...until(89) }), 'partial');
    assert.equal(await shown('momentum', until(90)), 'full');
  });

  it('a block whose completeness cannot be measured is partial before the match is over, and full afterwards', async () => {
    const votes = { votes: { vote: { vote1: 1, voteX: 0, vote2: 1 } } };
    assert.equal(await shown('votes', { status: 'live', ...votes }), 'partial');
    assert.equal(await shown('votes', over(0, 0)), 'full');
    assert.equal(await shown('highlights', { highlights: [] }), 'none');
  });
});
