import assert from 'node:assert/strict';
import fc from 'fast-check';
import { replaceSilentLeaders } from '../../src/apply/upkeep/takeovers.ts';
import { type Envelope, type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { HAPPENINGS, happenings, PARTS, truthOf } from '../support/true-match.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
/** Seconds between two states of the match. */
const STEP = 20;
const MAX_DELAY = 120;

interface Source {
  name: string;
  /** Delays in seconds: of the first update, and of all later ones. */
  delays: number[];
  /** Milliseconds by which the provider's clock is behind ours. */
  skew: number;
  hasIds: boolean;
  /** Members that the provider's updates leave out. */
  without: (keyof MatchFields)[];
  /** Number of updates before the provider falls silent. */
  dies?: number;
}

const source = (name: string) =>
  fc.record({
    name: fc.constant(name),
    delays: fc.oneof(
      fc.nat(MAX_DELAY).map((delay) => [delay]),
      fc.array(fc.nat(MAX_DELAY), { minLength: 1, maxLength: 12 }),
    ),
    skew: fc.constantFrom(0, 60 * MINUTE, 30 * SECOND, -4 * MINUTE),
    hasIds: fc.boolean(),
    without: fc.constant<(keyof MatchFields)[]>([]),
  });

describe('two truthful live providers with interleaved updates', function () {
  this.timeout(240_000);
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());

  interface Sent {
    at: number;
    source: Source;
    index: number;
  }

  /** Returns the updates in their order of arrival. Updates from one source stay in order. */
  function schedule(count: number, sources: readonly Source[]): Sent[] {
    const sent = sources.flatMap((one, order) => {
      let last = 0;
      return Array.from({ length: Math.min(count, one.dies ?? count) }, (_, index) => {
        const delay = one.delays[index % one.delays.length]!;
        last = Math.max(last, (index * STEP + delay) * SECOND);
        return { at: last, source: one, index, order };
      });
    });
    return sent.sort((a, b) => a.at - b.at || a.order - b.order);
  }

  /**
   * Plays a match, with housekeeping once a minute.
   * @returns the match's id and events
   */
  async function play(truth: readonly MatchFields[], sources: readonly Source[]) {
    bench.nextMatch();
    await bench.events();
    const start = bench.now + MINUTE;
    let id = 0;
    let housekept = start;
    const until = async (time: number) => {
      for (; housekept + MINUTE <= time; housekept += MINUTE) {
        bench.now = housekept + MINUTE;
        await replaceSilentLeaders(bench.deps);
      }
      bench.now = time;
    };
    for (const { at, source, index } of schedule(truth.length, sources)) {
      await until(start + at);
      const fields = Object.fromEntries(
        Object.entries(truth[index]!).filter(([member]) => !source.without.includes(member as keyof MatchFields)),
      ) as MatchFields;
      fields.incidents = fields.incidents?.map((one) =>
        source.hasIds ? { ...one, id: `${source.name} ${one.minute}` } : one,
      );
      if (fields.incidents === undefined) delete fields.incidents;
      const observed_at = new Date(start + at - source.skew).toISOString();
      const update = bench.update(fields, { provider: source.name, observed_at });
      bench.now = start + at;
      const [result] = await bench.feed(update);
      assert.notEqual(result!.outcome, 'rejected', JSON.stringify(result));
      id = result!.matchId ?? id;
    }
    await until(bench.now + 10 * MINUTE);
    return { id, events: await bench.events() };
  }

  /** Returns an event without the fields that differ between two matches. */
  const plain = ({ type, data }: Envelope) => {
    const { occurred_at: _at, match, ...rest } = data;
    const { status, status_detail, minute, home, away } = match;
    return { type, ...rest, match: { status, status_detail, minute, score: [home.score, away.score] } };
  };
  const cardOf = async (id: number) => {
    const { status, status_detail, participants, incidents, extra } = await bench.card(id);
    return [
      status,
      status_detail,
      participants.map((side) => side.score),
      extra.period_scores,
      (incidents ?? []).map(({ id: _id, ...incident }) => incident),
    ];
  };

  it("cause only the leader's events while the leader lives", async () => {
    await fc.assert(
      fc.asyncProperty(
        happenings(HAPPENINGS),
        source('leader').map((one) => ({ ...one, delays: [0] })),
        fc
          .record({ one: source('other'), without: fc.subarray(PARTS) })
          .map(({ one, without }) => ({ ...one, without })),
        async (happened, leader, other) => {
          const truth = truthOf(happened);
          const alone = await play(truth, [leader]);
          const both = await play(truth, [leader, other]);
          assert.deepEqual(both.events.map(plain), alone.events.map(plain));
          assert.deepEqual(await cardOf(both.id), await cardOf(alone.id));
        },
      ),
      { numRuns: LONG_FORMS ? 40 : 15 },
    );
  });

  it('continue with the second provider when the leader dies, without a repeated event or a lower score', async () => {
    await fc.assert(
      fc.asyncProperty(
        happenings(HAPPENINGS.filter((one) => one !== 'cancelled goal')),
        source('leader').map((one) => ({ ...one, delays: [0] })),
        source('other'),
        fc.nat(),
        async (happened, leader, other, when) => {
          const truth = truthOf(happened);
          const dies = 1 + (when % truth.length);
          const alone = await play(truth, [{ ...leader, dies }]);
          const { id, events } = await play(truth, [{ ...leader, dies }, other]);
          assert.deepEqual(events.slice(0, alone.events.length).map(plain), alone.events.map(plain));
          // In the end, the state is the true one.
          const whole = await play(truth, [other]);
          assert.deepEqual(await cardOf(id), await cardOf(whole.id));
          const count = (type: string) => events.filter((event) => event.type === type).length;
          const goals = events.filter(({ type }) => type === 'match.goal').map(({ data }) => data.incident!.payload.n);
          assert.deepEqual([...goals].sort(), happened.flatMap((one, n) => (one.startsWith('goal') ? [n] : [])).sort());
          const cards = happened.filter((one) => one === 'card').length;
          assert.deepEqual(['match.created', 'match.card', 'match.finished', 'match.lineup_confirmed'].map(count), [
            1,
            cards,
            1,
            1,
          ]);
          const impossible = [
            'match.correction',
            'match.goal_cancelled',
            'match.incident_deleted',
            'match.incident_updated',
          ];
          assert.deepEqual(impossible.map(count), [0, 0, 0, 0]);
          let last = [0, 0];
          for (const { data } of events) {
            const score = [data.match.home.score ?? 0, data.match.away.score ?? 0];
            assert.ok(score[0]! >= last[0]! && score[1]! >= last[1]!, `${last} to ${score}`);
            last = score;
          }
        },
      ),
      { numRuns: LONG_FORMS ? 40 : 15 },
    );
  });
});
