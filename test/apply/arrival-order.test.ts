import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findFixture } from '../../src/demo/invented-league.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { HAPPENINGS, happenings, PARTS, truthOf } from '../support/true-match.ts';

type Incident = NonNullable<MatchFields['incidents']>[number];

const SECOND = 1_000;
/** Number of random matches. */
const RUNS = LONG_FORMS ? 60 : 25;

/** The states of a match, in order. Each is what the provider says at that moment. */
type Script = readonly MatchFields[];

const period = (kind: string, name: string): Incident => ({ kind, period: name, payload: {} });
const scorer = (kind: string, side: 'home' | 'away', minute: number, payload: object = {}): Incident => ({
  kind,
  side,
  minute,
  player: { name: `Player ${minute}` },
  payload: { ...payload },
});

/** Builds a list of states. Each state adds incidents to those of the earlier ones. */
function grow(sport: string, ...steps: [add: Incident[], fields: MatchFields][]): Script {
  const common: MatchFields = { sport, tournament: { id: `l-${sport}`, name: `A league of ${sport}`, country: 'FR' } };
  let incidents: Incident[] = [];
  return [
    { ...common, status: 'scheduled', score: null },
    ...steps.map(([added, fields]) => {
      incidents = [...incidents, ...added];
      return { ...common, ...(incidents.length > 0 && { incidents }), ...fields };
    }),
  ];
}

const SCRIPTS: Record<string, Script> = {
  'football, the end without a score': grow(
    'football',
    [[], { status: 'live' }],
    [[period('period_start', '1H')], { status: 'live', minute: 1 }],
    [
      [scorer('goal', 'home', 10)],
      { status: 'live', score: { home: 1, away: 0 }, minute: 10, coaches: [{ side: 'home', coach_name: 'Boss' }] },
    ],
    [[], { status: 'live', status_detail: 'break', period_scores: [{ period: '1H', home: 1, away: 0 }] }],
    [[scorer('goal', 'away', 50, { goal_type: 'own_goal' })], { status: 'live', score: { home: 1, away: 1 } }],
    [[scorer('goal', 'home', 90)], { status: 'live', score: { home: 2, away: 1 }, attendance: 9 }],
    [[], { status: 'finished' }],
    [[], { status: 'finished', finalized: true }],
  ),
  'football, no score at all, with a shoot-out': grow(
    'football',
    [[], { status: 'live' }],
    [[scorer('goal', 'home', 10)], { status: 'live' }],
    [[scorer('goal', 'away', 70, { goal_type: 'penalty' })], { status: 'live' }],
    [[], { status: 'live', status_detail: 'extra_time' }],
    [[scorer('penalty_shootout', 'home', 120, { scored: true })], { status: 'live', status_detail: 'penalties' }],
    [[{ ...scorer('goal', 'home', 121), period: 'PEN' }], { status: 'live', status_detail: 'penalties' }],
    [[], { status: 'finished', status_detail: 'after_penalties' }],
  ),
  'football, without incidents and without a score at its end': grow(
    'football',
    [[], { status: 'live', minute: 3 }],
    [[], { status: 'live', score: { home: 0, away: 1 }, period_scores: [{ period: '1H', home: 0, away: 1 }] }],
    [[], { status: 'finished', referee: 'R' }],
  ),
  'handball, never a score': grow('handball', [[], { status: 'live' }], [[], { status: 'finished' }]),
  'hockey, the score withdrawn at the end': grow(
    'ice-hockey',
    [[], { status: 'live' }],
    [[], { status: 'finished', score: null }],
  ),
  'futsal, postponed after its start': grow(
    'futsal',
    [[], { status: 'live', score: { home: 2, away: 0 } }],
    [[], { status: 'scheduled', status_detail: 'postponed' }],
  ),
  'ice hockey, suspended to another day': grow(
    'ice-hockey',
    [[], { status: 'live' }],
    [[scorer('goal', 'home', 5)], { status: 'live', status_detail: 'in_play' }],
    [[], { status: 'scheduled', status_detail: 'suspended' }],
    [[], { status: 'live', status_detail: 'in_play' }],
    [[scorer('goal', 'away', 30)], { status: 'live', minute: 30 }],
    [[], { status: 'finished', status_detail: 'ended' }],
  ),
  basketball: grow(
    'basketball',
    [[], { status: 'live', period_scores: [] }],
    [[scorer('point', 'home', 1, { points: 3 })], { status: 'live' }],
    [[scorer('point', 'away', 2, { points: 2 }), scorer('point', 'away', 3, { points: 1 })], { status: 'live' }],
    [[], { status: 'live', score: { home: 3, away: 3 }, period_scores: [{ period: 'Q1', home: 3, away: 3 }] }],
    [[scorer('point', 'home', 40, { points: 2 })], { status: 'live', score: { home: 5, away: 3 } }],
    [[], { status: 'finished' }],
  ),
  tennis: grow(
    'tennis',
    [[], { status: 'live' }],
    [[scorer('point', 'home', 1, { points: 15 })], { status: 'live' }],
    [[scorer('set_end', 'home', 40)], { status: 'live', period_scores: [{ period: 'S1', home: 6, away: 4 }] }],
    [[scorer('set_end', 'away', 80)], { status: 'live' }],
    [[scorer('set_end', 'home', 120)], { status: 'live' }],
    [[], { status: 'finished' }],
  ),
  'volleyball, a walkover': grow('volleyball', [[], { status: 'finished', status_detail: 'walkover' }]),
  'rugby, cancelled': grow('rugby', [[], { status: 'finished', status_detail: 'cancelled', score: null }]),
};
/** Final scores by sport. All other sports have none. */
const SCORES: Record<string, [number, number]> = {
  'football, the end without a score': [2, 1],
  'football, no score at all, with a shoot-out': [1, 1],
  'football, without incidents and without a score at its end': [0, 1],
  'handball, never a score': [0, 0],
  'futsal, postponed after its start': [2, 0],
  'ice hockey, suspended to another day': [1, 1],
  basketball: [5, 3],
  tennis: [2, 1],
};

describe('a whole match’s updates in any order, some sent twice', function () {
  this.timeout(240_000);
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());

  /**
   * Sends the states in the given order. Each has its own time of observation.
   * @returns the card, without ids and the service's times
   */
  async function cardAfter(script: Script, order: readonly number[]) {
    bench.nextMatch();
    const start = bench.now;
    bench.now += script.length * SECOND;
    let id = 0;
    for (const index of order) {
      const observed_at = new Date(start + index * SECOND).toISOString();
      const now = bench.now;
      const [result] = await bench.feed(bench.update({ ...script[index]! }, { observed_at }));
      bench.now = now;
      assert.notEqual(result!.outcome, 'rejected', `${index} of ${order}: ${JSON.stringify(result)}`);
      id = result!.matchId ?? id;
    }
    const { id: _id, updated_at: _u, meta, participants, incidents, ...card } = await bench.card(id);
    return {
      ...card,
      scores: participants.map((side) => side.score),
      incidents: (incidents ?? []).map(({ id: _own, ...incident }) => incident),
      completeness: meta.completeness,
      sources: meta.sources,
    };
  }

  /** Returns all indexes in a random order. Some occur twice. */
  const orderOf = (length: number) => {
    const all = Array.from({ length }, (_, index) => index);
    return fc
      .tuple(
        fc.shuffledSubarray(all, { minLength: length }),
        fc.array(fc.tuple(fc.nat(length - 1), fc.nat(length)), { maxLength: 4 }),
      )
      .map(([shuffled, repeats]) => {
        const order = [...shuffled];
        for (const [index, at] of repeats) order.splice(at, 0, index);
        return order;
      });
  };

  async function check(script: Script, numRuns: number) {
    const expected = await cardAfter(script, [...script.keys()]);
    await fc.assert(
      fc.asyncProperty(orderOf(script.length), async (order) => {
        assert.deepEqual(await cardAfter(script, order), expected);
      }),
      { numRuns },
    );
    return expected;
  }

  for (const [name, script] of Object.entries(SCRIPTS)) {
    it(`give a match (${name}) the same card as the correct order`, async () => {
      const { scores } = await check(script, LONG_FORMS ? 25 : 10);
      assert.deepEqual(scores, SCORES[name] ?? [null, null]);
    });
  }

  it('give the same card if updates omit random fields', async () => {
    const parts: readonly string[] = PARTS.filter((member) => member !== 'status');
    const omitted = fc.array(fc.subarray([...parts]), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(happenings(HAPPENINGS), omitted, fc.nat(), async (happened, without, seed) => {
        const script = truthOf(happened).map(
          (fields, index) =>
            Object.fromEntries(
              Object.entries(fields).filter(
                ([member]) => member !== 'odds' && !without[index % without.length]!.includes(member),
              ),
            ) as MatchFields,
        );
        const [order] = fc.sample(orderOf(script.length), { numRuns: 1, seed });
        assert.deepEqual(await cardAfter(script, order!), await cardAfter(script, [...script.keys()]));
      }),
      { numRuns: RUNS },
    );
  });

  it('give a recorded match with all blocks the same card', async () => {
    const { recording: states } = (await findFixture('league-2026-27-r1-northhaven-v-cindermoor'))!;
    const every = Math.ceil(states.length / 24);
    const script = states
      .filter((_, index) => index % every === 0 || index >= states.length - 2)
      .map(({ update: { match } }, index, all): MatchFields => {
        const { id: _id, scheduled_start: _s, home: _h, away: _a, ...fields } = match;
        // In some states, and at the end, only the incidents tell the score.
        if (index % 3 === 1 || index >= all.length - 2) delete fields.score;
        return fields;
      });
    const { scores, incidents } = await check(script, 12);
    const goals = (side: string) => incidents.filter((one) => one.kind === 'goal' && one.side === side).length;
    assert.deepEqual(scores, [goals('home'), goals('away')]);
  });
});
