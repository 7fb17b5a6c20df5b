import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderCards } from '../../src/apply/write/render-cards.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';

/** Texts that look like the replaced parts of a card. */
const ODD = ['"updated_at":"', '","updated_at":"2', 'x"last_detail_at":"', '\\"last_detail_at\\":\\"', '⚽ "meta":{'];

const { statistics, weather } = FOOTBALL_GIVEN;
const figures = (home_value: number) => statistics.map((figure) => ({ ...figure, home_value }));
const SIDES = ['home', 'away'] as const;
const eleven = (side: 'home' | 'away', length: number) =>
  Array.from({ length }, (_, index) => ({ side, player: { name: `${side} ${index}` }, is_substitute: false }));
const small = fc.integer({ min: 0, max: 2 });
const odd = fc.constantFrom(...ODD);
/** Fields that are sometimes empty and often unchanged. */
const FIELDS: fc.Arbitrary<MatchFields>[] = [
  small.map((n) => ({ statistics: n === 0 ? [] : figures(n) })),
  small.map((n) => ({ incidents: n === 0 ? [] : [{ kind: 'goal', side: 'home', minute: n }] })),
  small.map((n) => ({ momentum: { graphPoints: n === 0 ? [] : [{ minute: 1, value: n }] } })),
  small.map((n) => ({ win_probability: n === 0 ? null : { homeWin: n, draw: 0, awayWin: 0 } })),
  small.map((n) => ({ coaches: SIDES.slice(0, n).map((side) => ({ side, coach_name: 'C' })) })),
  small.map((n) => ({ lineups: SIDES.flatMap((side) => eleven(side, n * 6)), lineup_confirmed: n > 0 })),
  small.map((n) => (n < 2 ? { status: 'live' } : { status: 'finished', score: { home: 1, away: 0 } })),
  small.map((n) => ({ weather: n === 0 ? null : { ...weather, temperature_c: n } })),
  small.map((n) => ({ status: 'live', minute: n })),
  odd.map((referee) => ({ referee })),
  odd.map((round_name) => ({ round_name })),
  odd.map((start_time) => ({ start_time })),
];
const PROVIDERS = ['live', 'another-live', 'openfootball'];

const update = fc.record({
  provider: fc.constantFrom(...PROVIDERS),
  pause: fc.integer({ min: 0, max: 5_000 }),
  fields: fc
    .subarray(FIELDS, { minLength: 1 })
    .chain((chosen) => fc.tuple(...chosen))
    .map((parts): MatchFields => Object.assign({}, ...parts)),
});

describe('cards after updates', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());

  const stored = async (id: number) =>
    (await bench.db.pool.query('SELECT item, detail FROM match_card WHERE match_id = $1', [id])).rows[0];

  it('equal a new rendering after any updates in any order', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(fc.array(update, { minLength: 1, maxLength: 8 }), async (updates) => {
        bench.nextMatch();
        const id = await bench.accept({ referee: ODD[1]!, round_name: ODD[0]! });
        for (const { provider, pause, fields } of updates) {
          bench.now += pause;
          await bench.feed(bench.update(fields, { provider }));
          const shown = await stored(id);
          await renderCards(bench.db.pool, [id]);
          assert.deepEqual(shown, await stored(id), JSON.stringify(fields));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('have the newest block’s times, and text that looks like a time is not replaced', async () => {
    bench.nextMatch();
    const names = { referee: ODD[2]!, round_name: ODD[0]! };
    const id = await bench.accept({ ...names, statistics: figures(1) });
    bench.now += 60_000;
    await bench.accept({ statistics: figures(2) });
    const card = await bench.card(id);
    const now = `${new Date(bench.now).toISOString().slice(0, 19)}Z`;
    assert.deepEqual([card.updated_at, card.meta.last_detail_at], [now, now]);
    assert.deepEqual([card.referee, card.round_name], [names.referee, names.round_name]);
  });
});
