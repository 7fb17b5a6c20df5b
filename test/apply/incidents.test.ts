import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type IncidentChanges, matchIncidents } from '../../src/apply/merge/incidents.ts';
import { draftIncident } from '../../src/apply/resolve/given-players.ts';
import { replaceSilentLeaders } from '../../src/apply/upkeep/takeovers.ts';
import type { FeedIncident } from '../../src/wire/feed-update.ts';
import type { Incident } from '../../src/wire/match.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';

const kind = fc.constantFrom('goal', 'card', 'subst', 'period_start');
const side = fc.constantFrom('home' as const, 'away' as const, null);
const given = fc.record({
  minute: fc.option(fc.integer({ min: 0, max: 12 })),
  minute_plus: fc.option(fc.integer({ min: 0, max: 2 })),
  period: fc.option(fc.constantFrom('1H', '2H')),
  kind,
  side,
  player: fc.option(
    fc.constantFrom('Ann', 'Bea', 'Cat').map((name) => ({ name })),
    { nil: undefined },
  ),
  payload: fc.record({ n: fc.integer({ min: 0, max: 2 }) }),
});
/** Generates incidents, some of which have a unique provider id. */
const list = fc
  .array(fc.tuple(given, fc.boolean()), { maxLength: 12 })
  .map((entries): FeedIncident[] => entries.map(([one, named], index) => (named ? { ...one, id: `p${index}` } : one)));

const drafts = (incidents: readonly FeedIncident[]) => incidents.map((one) => draftIncident(one, () => null));
const from = (before: IncidentChanges, incidents: readonly FeedIncident[]) =>
  matchIncidents(before.incidents, before.source, drafts(incidents), before.lastId);
const fresh = (incidents: readonly FeedIncident[]) => matchIncidents([], {}, drafts(incidents), 0);
const shown = ({ id: _id, ...rest }: Incident) => JSON.stringify(rest);

describe('comparing incidents', () => {
  it('gives reordered incidents their former ids, and finds no change', () => {
    fc.assert(
      fc.property(
        list.chain((one) => fc.tuple(fc.constant(one), fc.shuffledSubarray(one, { minLength: one.length }))),
        ([one, shuffled]) => {
          const before = fresh(one);
          const after = from(before, shuffled);
          assert.deepEqual([after.added, after.edited, after.removed, after.lastId], [[], [], [], before.lastId]);
          assert.deepEqual(
            after.incidents.map(({ id }) => id).sort((a, b) => a - b),
            before.incidents.map(({ id }) => id).sort((a, b) => a - b),
          );
          assert.deepEqual(after.source, before.source);
        },
      ),
    );
  });

  it('finds changes that lead from the stored to the given incidents without reusing an id', () => {
    fc.assert(
      fc.property(list, list, (one, two) => {
        const before = fresh(one);
        const after = from(before, two);
        assert.deepEqual(after.incidents.map(shown), fresh(two).incidents.map(shown));
        const stored = new Map(before.incidents.map((incident) => [incident.id, incident]));
        for (const { id } of after.removed) assert.ok(stored.delete(id));
        for (const { before: was, after: is } of after.edited) {
          assert.equal(was.id, is.id);
          assert.ok(stored.has(is.id));
          stored.set(is.id, is);
        }
        for (const incident of after.added) {
          assert.ok(incident.id > before.lastId);
          stored.set(incident.id, incident);
        }
        const byId = (a: Incident, b: Incident) => a.id - b.id;
        assert.deepEqual([...stored.values()].sort(byId), after.incidents.toSorted(byId));
      }),
    );
  });

  it('is fast for two thousand incidents, whether all are similar or all are different', function () {
    // A run takes a few hundred milliseconds. If the time grew faster than quadratically, it would take minutes.
    this.timeout(20_000);
    const many = (player: (index: number) => string) =>
      Array.from(
        { length: 2_000 },
        (_, index): FeedIncident => ({
          minute: 1,
          minute_plus: null,
          period: null,
          kind: 'goal',
          side: 'home',
          player: { name: player(index) },
          payload: {},
        }),
      );
    for (const [one, two] of [
      [many(() => 'Ann'), many(() => 'Ann')],
      [many((index) => `A ${index}`), many((index) => `B ${index}`).map((incident) => ({ ...incident, minute: 90 }))],
    ] as const) {
      assert.equal(from(fresh(one), two).incidents.length, 2_000);
    }
  });
});

describe('a client that follows only the events', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());

  const state = fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom('in_play', 'break', 'suspended', 'penalties').map((status_detail) => ({ status_detail })) },
    { weight: 3, arbitrary: fc.tuple(fc.nat(3), fc.nat(3)).map(([home, away]) => ({ status: 'live', score: { home, away } })) },
    { weight: 1, arbitrary: fc.tuple(fc.nat(3), fc.nat(3)).map(([home, away]) => ({ status: 'finished', score: { home, away } })) },
    { weight: 1, arbitrary: fc.constantFrom('cancelled', 'abandoned', 'awarded').map((status_detail) => ({ status_detail })) },
  ); // biome-ignore format: a table
  const from = fc.record({
    provider: fc.oneof({ weight: 2, arbitrary: fc.constant('live') }, fc.constantFrom('second', 'third')),
    // Longer than a leader may be silent.
    pause: fc.constantFrom(0, 0, 0, 6 * 60_000),
  });
  const steps = fc.array(fc.tuple(state, fc.option(list, { nil: undefined }), from), { minLength: 1, maxLength: 10 });

  it('has the card’s status, score and incidents, whichever provider leads', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        bench.nextMatch();
        await bench.events();
        let id = 0;
        for (const [fields, incidents, { provider, pause }] of script) {
          const given = { ...fields, ...(incidents && { incidents }) } as MatchFields;
          bench.now += pause;
          if (pause > 0) await replaceSilentLeaders(bench.deps);
          const [result] = await bench.feed(bench.update(given, { provider }));
          id = result!.matchId ?? id;
        }
        if (id === 0) return;
        const card = await bench.card(id);
        const stored = new Map<number, object>();
        let last: { status: string; scores: (number | null)[] } | undefined;
        const events = (await bench.events()).filter(({ data }) => data.match.id === id);
        for (const [index, { data }] of events.entries()) {
          assert.equal(data.sequence, index + 1);
          last = { status: data.match.status, scores: [data.match.home.score, data.match.away.score] };
          if (data.incident === undefined) continue;
          const { action, ...incident } = data.incident;
          if (action === 'delete') stored.delete(incident.id);
          else stored.set(incident.id, incident);
        }
        assert.deepEqual(last, { status: card.status, scores: card.participants.map(({ score }) => score) });
        const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
        assert.deepEqual([...stored.values()].sort(byId as never), (card.incidents ?? []).toSorted(byId));
      }),
      { numRuns: 80 },
    );
  });
});
