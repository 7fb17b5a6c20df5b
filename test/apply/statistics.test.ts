import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyUpdates } from '../../src/apply/apply.ts';
import { mergeStatistics } from '../../src/apply/merge/statistics.ts';
import type { BlockRow } from '../../src/apply/stored/blocks.ts';
import type { ProvenanceDraft } from '../../src/apply/stored/provenance.ts';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

type Statistic = NonNullable<MatchFields['statistics']>[number];

const figure = (stat_name: string, home_value: number, group_name = 'Attack'): Statistic => ({
  period: 'ALL',
  group_name,
  stat_name,
  home_value,
  away_value: 0,
  home_text: null,
  away_text: null,
});

/** Providers from the best rank to the worst. */
const LIVE = {};
const FILES = { provider: 'football-datasets' };
const WORSE = { provider: 'fivethirtyeight' };
const FILES_SOURCE = 'github.com/datasets/football-datasets, PDDL';
const WORSE_SOURCE = 'FiveThirtyEight, CC BY 4.0';

describe('statistics from several providers', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    await bench.events();
    bench.nextMatch();
  });

  const say = (statistics: Statistic[], over: object = LIVE) =>
    bench.update({ id: 'provider' in over ? bench.other() : bench.update().match.id, statistics }, over);
  const outcome = async (...given: Parameters<typeof say>) => (await bench.feed(say(...given)))[0]!.outcome;
  const importing = (updates: ReturnType<typeof say>[]) =>
    applyUpdates(
      bench.deps,
      updates.map((update) => feedUpdate.parse(update)),
      { events: false },
    );
  const shown = async (id: number) =>
    (await bench.card(id)).statistics!.map(({ stat_name, home_value }) => [stat_name, home_value]);

  it('come figure by figure from the better-ranked provider, and the rest fill the gaps in a group', async () => {
    const theirs = [figure('xG', 1.5, 'Model'), figure('Shots', 99), figure('Big chances', 3)];
    const ours = [figure('Shots', 12), figure('Saves', 4, 'Defence')];
    const expected = [
      ['Shots', 12],
      ['Big chances', 3],
      ['Saves', 4],
      ['xG', 1.5],
    ];
    for (const order of [
      [say(theirs, WORSE), say(ours, FILES)],
      [say(ours, FILES), say(theirs, WORSE)],
    ]) {
      const [first] = await importing(order);
      assert.deepEqual(await shown(first!.matchId!), expected);
      assert.deepEqual((await bench.card(first!.matchId!)).meta.sources, [WORSE_SOURCE, FILES_SOURCE]);
      assert.deepEqual(
        (await importing(order)).map((result) => result.outcome),
        ['unchanged', 'unchanged'],
      );
      bench.nextMatch();
    }
    assert.deepEqual(await bench.events(), [], 'history makes no events');
  });

  it('name as sources only the providers whose figures the card shows', async () => {
    const [result] = await importing([say([figure('Shots', 1)], FILES), say([figure('Shots', 2)], WORSE)]);
    await bench.db.pool.query("UPDATE match SET provenance = provenance - '{sides,start}'::text[] WHERE id = $1", [
      result!.matchId,
    ]);
    await bench.accept({ statistics: [figure('Shots', 3)] });
    const id = result!.matchId!;
    assert.deepEqual((await bench.card(id)).meta.sources, ['live']);
    await bench.accept({ statistics: [figure('Saves', 3)] });
    assert.deepEqual((await bench.card(id)).meta.sources, [FILES_SOURCE, 'live']);
    assert.deepEqual(await shown(id), [
      ['Saves', 3],
      ['Shots', 1],
    ]);
  });

  it("lose a provider's earlier figures if its newer statement omits them, and then show the next provider's", async () => {
    const id = await bench.accept({ statistics: [figure('Shots', 3), figure('Corners', 5)] });
    await importing([say([figure('Shots', 2), figure('xG', 0.5)], WORSE)]);
    assert.deepEqual(await shown(id), [
      ['Shots', 3],
      ['Corners', 5],
      ['xG', 0.5],
    ]);
    await bench.events();
    assert.equal(await outcome([figure('Corners', 5)]), 'accepted');
    assert.deepEqual(await shown(id), [
      ['Corners', 5],
      ['Shots', 2],
      ['xG', 0.5],
    ]);
    assert.deepEqual(types(await bench.events()), ['match.statistics_updated']);
    assert.equal(await outcome([]), 'accepted');
    assert.deepEqual(await shown(id), [
      ['Shots', 2],
      ['xG', 0.5],
    ]);
    await importing([say([], WORSE)]);
    assert.deepEqual(await shown(id), []);
  });

  it('change no data and report no event if they are repeated, from any provider', async () => {
    const id = await bench.accept({ statistics: [figure('Shots', 3)] });
    await importing([say([figure('Shots', 2), figure('xG', 0.5)], WORSE)]);
    await bench.events();
    const before = await bench.footprint(id);
    const stored = async () => (await bench.db.pool.query('SELECT * FROM match_block WHERE match_id = $1', [id])).rows;
    const rows = await stored();
    assert.equal(await outcome([figure('Shots', 3)]), 'unchanged');
    assert.deepEqual(
      (await importing([say([figure('Shots', 2), figure('xG', 0.5)], WORSE)])).map((result) => result.outcome),
      ['unchanged'],
    );
    assert.deepEqual(await bench.footprint(id), before);
    assert.deepEqual(await stored(), rows);
    assert.deepEqual(await bench.events(), []);
  });

  it('change nothing on the card if the only new figure is hidden, but that figure is stored', async () => {
    const id = await bench.accept({ statistics: [figure('Shots', 3)] });
    await importing([say([figure('Shots', 2)], WORSE)]);
    const before = await bench.footprint(id);
    const [result] = await importing([say([figure('Shots', 1)], WORSE)]);
    assert.equal(result!.outcome, 'unchanged');
    assert.deepEqual(await bench.footprint(id), before);
    await bench.accept({ statistics: [] });
    assert.deepEqual(await shown(id), [['Shots', 1]]);
  });

  it('stay unchanged by a statement that is older than the same provider’s newest one', async () => {
    const early = new Date(bench.now).toISOString();
    const id = await bench.accept({ statistics: [figure('Shots', 3)] });
    const other = { provider: 'another-live' };
    assert.equal(await outcome([figure('xG', 0.5)], { ...other, observed_at: early }), 'accepted', 'fills in');
    assert.equal(await outcome([figure('Shots', 9)], { observed_at: early }), 'unchanged');
    assert.equal(await outcome([figure('Shots', 4)], { ...other, observed_at: early }), 'accepted');
    assert.deepEqual(await shown(id), [['Shots', 3]], 'its own newest one, below the leader');
    assert.equal(await outcome([figure('xG', 0.7)], { ...other, observed_at: early }), 'accepted', 'at the same time');
    const older = new Date(Date.parse(early) - 1_000).toISOString();
    assert.equal(await outcome([figure('xG', 0.9)], { ...other, observed_at: older }), 'unchanged');
    assert.deepEqual(await shown(id), [
      ['Shots', 3],
      ['xG', 0.7],
    ]);
  });

  it('show a figure twice if one provider gives it twice', async () => {
    const id = await bench.accept({ statistics: [figure('Shots', 1), figure('Shots', 2)] });
    await importing([say([figure('Shots', 3), figure('xG', 1)], WORSE)]);
    assert.deepEqual(await shown(id), [
      ['Shots', 1],
      ['Shots', 2],
      ['xG', 1],
    ]);
  });

  it('are the same in any arrival order', () => {
    const providers = ['live', 'fjelstul', 'football-datasets', 'fivethirtyeight'];
    const rows = fc.array(
      fc.record({ name: fc.constantFrom('a', 'b', 'c'), group: fc.constantFrom('G', 'H'), value: fc.nat(2) }),
      { maxLength: 5 },
    );
    const statements = fc.uniqueArray(fc.record({ provider: fc.constantFrom(...providers), at: fc.nat(9), rows }), {
      maxLength: 8,
      selector: ({ provider, at }) => `${provider} ${at}`,
    });
    const settle = (
      said: { provider: string; at: number; rows: { name: string; group: string; value: number }[] }[],
    ) => {
      const provenance: ProvenanceDraft = {};
      let stored: BlockRow | undefined;
      for (const one of said) {
        const json = JSON.stringify(one.rows.map(({ name, group, value }) => figure(name, value, group)));
        for (const again of [false, true]) {
          const step = mergeStatistics(
            BUILT_IN,
            json,
            { provider: one.provider, observedAt: one.at },
            stored,
            provenance,
          );
          if (again) assert.equal(step, null, 'the same twice');
          if (step !== null) stored = { match_id: 1, ...step.row };
        }
      }
      return { provenance, json: stored?.json, source: stored?.source };
    };
    fc.assert(
      fc.property(
        statements.chain((said) => fc.tuple(fc.constant(said), fc.shuffledSubarray(said, { minLength: said.length }))),
        ([said, shuffled]) => assert.deepEqual(settle(shuffled), settle(said)),
      ),
      { numRuns: 500 },
    );
  });
});
