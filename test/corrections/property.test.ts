import assert from 'node:assert/strict';
import fc from 'fast-check';
import { correctMatch, listCorrections, withdrawCorrection } from '../../src/corrections/corrections.ts';
import { Problem } from '../../src/http/errors.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { HAPPENINGS, happenings, truthOf } from '../support/true-match.ts';

const ANNA = { name: 'anna@example.com', address: null } as const;
const SECOND = 1_000;

/** What an operator does between two updates. */
const actions = fc.array(
  fc.record({
    /** Number of the update after which the action happens. */
    after: fc.nat(30),
    kind: fc.constantFrom('score', 'status', 'kick-off', 'scorer', 'withdraw'),
    value: fc.nat(9),
  }),
  { minLength: 1, maxLength: 8 },
);
type Action = { after: number; kind: string; value: number };

describe('an interleaving of two live providers and an operator', function () {
  this.timeout(240_000);
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());

  const given = async (id: number, { kind, value }: Action) => {
    if (kind === 'score') return { score: `${value}:${value % 3}` };
    if (kind === 'status') return { status: ['finished', 'live', 'cancelled', 'postponed'][value % 4] };
    if (kind === 'kick-off') return { kickOff: `2024-05-01T1${value}:00:00Z` };
    const goals = ((await bench.card(id)).incidents ?? []).filter((one) => one.kind === 'goal');
    const goal = goals[value % Math.max(goals.length, 1)];
    return { goal: String(goal?.id ?? 1), scorer: ['Ann', 'Bea'][value % 2] };
  };

  /** Performs an action. A correction may be refused, if the match's state does not allow it. */
  async function act(id: number, action: Action): Promise<void> {
    const standing = (await listCorrections(bench.db.pool, id)).filter((one) => one.withdrawn_at === null);
    try {
      if (action.kind !== 'withdraw')
        await correctMatch(bench.deps, id, { ...(await given(id, action)), reason: 'r' }, ANNA);
      else if (standing.length > 0)
        await withdrawCorrection(bench.deps, standing[action.value % standing.length]!.id, ANNA);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_parameter') throw error;
    }
  }

  async function play(truth: readonly MatchFields[], operator: readonly Action[]) {
    bench.nextMatch();
    const start = bench.now;
    let id = 0;
    for (const [index, fields] of truth.entries()) {
      for (const [order, provider] of ['one', 'two'].entries()) {
        bench.now = start + (index * 20 + order * 5) * SECOND;
        const [result] = await bench.feed(bench.update(fields, { provider }));
        assert.notEqual(result!.outcome, 'rejected', JSON.stringify(result));
        id = result!.matchId ?? id;
      }
      for (const action of operator.filter(({ after }) => after % truth.length === index)) await act(id, action);
    }
    return id;
  }

  const plain = async (id: number) => {
    const { status, status_detail, minute, scheduled_start, participants, incidents, extra, meta } =
      await bench.card(id);
    const { rows } = await bench.db.pool.query(
      'SELECT side, player_name, goals FROM match_player WHERE match_id = $1 ORDER BY side, player_name',
      [id],
    );
    return {
      ...{ status, status_detail, minute, scheduled_start, sources: meta.sources, players: rows },
      scores: participants.map(({ score }) => score),
      periods: extra.period_scores,
      incidents: (incidents ?? []).map(({ id: _id, player_participant_id: _p, ...incident }) => incident),
    };
  };

  it('leaves the same match as without the operator once all corrections are withdrawn, and the stream has the score that the card shows', async () => {
    await fc.assert(
      fc.asyncProperty(happenings(HAPPENINGS), actions, async (happened, operator) => {
        const truth = truthOf(happened);
        const alone = await play(truth, []);
        await bench.events();
        const id = await play(truth, operator);
        for (const correction of await listCorrections(bench.db.pool, id))
          if (correction.withdrawn_at === null) await withdrawCorrection(bench.deps, correction.id, ANNA);
        const card = await plain(id);
        assert.deepEqual(card, await plain(alone));
        const events = await bench.events();
        assert.deepEqual(
          events.map(({ data }) => data.sequence),
          events.map((_, index) => index + 1),
        );
        const last = events.at(-1)!.data.match;
        assert.deepEqual([last.status, last.home.score, last.away.score], [card.status, ...card.scores]);
        // A client that follows only the stream has to have the same incidents.
        const followed = new Map<number, string | null>();
        for (const { data } of events) {
          if (data.incident?.action === 'delete') followed.delete(data.incident.id);
          else if (data.incident) followed.set(data.incident.id, data.incident.player_name);
        }
        assert.deepEqual([...followed.values()].sort(), card.incidents.map(({ player_name }) => player_name).sort());
      }),
      { numRuns: LONG_FORMS ? 60 : 12 },
    );
  });
});
