import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeFields } from '../../src/apply/merge/match-fields.ts';
import type { MatchState } from '../../src/apply/stored/match-state.ts';
import type { Provenance } from '../../src/apply/stored/provenance.ts';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import { type MatchUpdate, matchUpdate } from '../../src/wire/feed-update.ts';
import type { MatchFields } from '../support/feed.ts';

const REFS = { tournament_id: 1, season_id: 1, home_id: 1, away_id: 2, venue_id: undefined };
const START = '2024-05-01T14:00:00Z';

const says = (provider: string, match: MatchFields): MatchUpdate =>
  matchUpdate.parse({
    schema: 1,
    kind: 'match',
    provider,
    observed_at: '2024-06-01T00:00:00Z',
    match: {
      id: 'm',
      sport: 'football',
      tournament: { name: 'League', country: 'GB-ENG' },
      season: { label: '2023/24' },
      home: { name: 'Home' },
      away: { name: 'Away' },
      scheduled_start: START,
      ...match,
    },
  });

function settle(updates: readonly MatchUpdate[]): { state: MatchState; sources: string[] } {
  let state: MatchState | null = null;
  let provenance: Provenance = {};
  for (const update of updates) {
    for (const again of [false, true]) {
      const step = mergeFields(BUILT_IN, state, provenance, update, REFS);
      assert.deepEqual(step.faults, []);
      if (again) assert.deepEqual([step.after, step.provenance], [state, provenance], 'the same twice');
      state = step.after;
      provenance = step.provenance;
    }
  }
  const shown = Object.values(provenance).filter(({ hidden }) => hidden === undefined);
  return { state: state!, sources: [...new Set(shown.map(({ provider }) => provider))].sort() };
}

const score = (home: number, away: number, periods?: [number, number]) => ({
  status: 'finished' as const,
  score: { home, away },
  ...(periods && { period_scores: [{ period: '1H', home: periods[0], away: periods[1] }] }),
});

describe('match fields from several history sources', () => {
  // Providers from the best rank to the worst, for status and score.
  const [BEST, BETTER, WORSE] = ['fjelstul', 'football-datasets', 'schochastics'];
  const either = (...updates: [MatchUpdate, MatchUpdate]) => {
    const one = settle(updates);
    assert.deepEqual(settle(updates.toReversed()), one);
    return one;
  };

  it('each field comes from the best-ranked source that gives that field', () => {
    const { state, sources } = either(
      says(BEST!, { round_name: 'Final', referee: 'A', ...score(2, 1) }),
      says(WORSE!, { round_name: 'The final', round_num: 7, group_name: 'A', referee: 'B', attendance: 5 }),
    );
    assert.deepEqual(
      [state.round_name, state.round_num, state.group_name, state.referee, state.attendance],
      ['Final', 7, 'A', 'A', 5],
    );
    assert.deepEqual(sources, [BEST, WORSE]);
  });

  it('period scores come only from a source with the same final score', () => {
    const halves = (updates: [MatchUpdate, MatchUpdate]) => either(...updates).state.period_scores;
    assert.deepEqual(halves([says(BEST!, score(2, 1)), says(WORSE!, score(2, 1, [1, 0]))]), [
      { period: '1H', home: 1, away: 0 },
    ]);
    const other = [says(BEST!, score(2, 1)), says(WORSE!, score(2, 0, [1, 0]))] as [MatchUpdate, MatchUpdate];
    assert.deepEqual(halves(other), []);
    assert.deepEqual(either(...other).state.home_score, 2);
  });

  it('the kick-off text comes only from a source with the same kick-off time', () => {
    const text = (start: string) =>
      either(
        says('fjelstul', { scheduled_start: START }),
        says('wyscout', { scheduled_start: start, start_time: '16:00' }),
      ).state.start_time;
    assert.equal(text(START), '16:00');
    assert.equal(text('2024-05-01T15:00:00Z'), null);
  });

  it('a lower-ranked source may add a status detail to the best source’s status', () => {
    const { state } = either(
      says(BEST!, { status: 'finished', score: { home: 1, away: 1 } }),
      says(WORSE!, { status_detail: 'after_penalties', score: { home: 1, away: 1 } }),
    );
    assert.equal(state.status_detail, 'after_penalties');
  });

  it('a source with a result takes precedence over a source without one', () => {
    const { state } = either(
      says(BEST!, { status: 'scheduled', status_detail: 'postponed' }),
      says(WORSE!, score(3, 0)),
    );
    assert.deepEqual([state.status, state.status_detail, state.home_score], ['finished', 'ended', 3]);
  });

  it('any arrival order gives the same result', () => {
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    const result = fc.record({ home: fc.nat(1), away: fc.constant(0) });
    const fields = fc.record({
      round_num: maybe(fc.nat(2)),
      round_name: maybe(fc.constantFrom('One', 'Two')),
      scheduled_start: fc.constantFrom(START, '2024-05-01T15:00:00Z'),
      start_time: maybe(fc.constantFrom('15:00', '16:00')),
      referee: maybe(fc.constantFrom('A', 'B', null)),
      state: fc.oneof(
        fc.constant({}),
        fc.constantFrom<MatchFields>({ status: 'scheduled' }, { status: 'scheduled', status_detail: 'postponed' }),
        fc.record<MatchFields, 'status'>(
          {
            status: fc.constant('finished' as const),
            status_detail: fc.constantFrom('ended', 'after_penalties', 'awarded'),
            score: result,
            period_scores: result.map(({ home, away }) => [{ period: '1H', home, away }]),
          },
          { requiredKeys: ['status'] },
        ),
      ),
    });
    const providers = [BEST!, BETTER!, 'wyscout', WORSE!];
    const updates = fc.tuple(...providers.map((provider) => fields.map((given) => ({ provider, ...given }))));
    fc.assert(
      fc.property(updates, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (all, order) => {
        const statements = all.map(({ provider, state, ...rest }) =>
          says(provider, { ...given(rest), ...given(state) }),
        );
        assert.deepEqual(settle(order.map((index) => statements[index]!)), settle(statements));
      }),
      { numRuns: 500 },
    );
  });
});

const given = (fields: object): MatchFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
