import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type pg from 'pg';
import { renderCards } from '../../src/apply/write/render-cards.ts';
import { openPool, transaction } from '../../src/db/postgres.ts';
import { addPendingChanges } from '../../src/events/pending-changes.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { until } from '../support/until.ts';
import {
  type Client,
  createHarness,
  type Harness,
  knownOf,
  LEAGUES,
  type MatchState,
  newClient,
  newMatch,
  updateOf,
} from './sync-harness.ts';

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('score', 'incident', 'edit', 'undo'), match: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('status', 'quiet', 'league'), match: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), match: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('move', 'cursors'), match: fc.constant(0) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('page'), match: fc.nat(1) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('a client that synchronises and then follows', () => {
  let harness: Harness;
  before(async () => {
    harness = await createHarness();
  });
  after(() => harness.close());

  /**
   * Performs the steps while the client reads pages in between, and then finishes the client's pass.
   * @returns the next cursor, and the stream's cursor
   */
  async function play(steps: readonly Step[], client: Client, parameters: string, mayMove: boolean) {
    const states = new Map<number, MatchState>();
    let gone = 0;
    let incidents = 0;
    let cursor: string | null = null;
    let more = false;
    let stream = 0;
    const page = async (limit: number) => {
      const got = await harness.sync(cursor, `limit=${limit}${parameters}`);
      if (more) assert.equal(got.stream_cursor, stream);
      client.take(got);
      ({ next_cursor: cursor, has_more: more, stream_cursor: stream } = got);
    };
    const change = async (kind: string, match: number) => {
      const one = states.get(match) ?? newMatch(states.size + gone);
      const known = states.has(match);
      if (kind === 'delete') {
        if (known) await harness.feed([{ ...updateOf(one), deleted: true }]);
        if (states.delete(match)) gone += 1;
        return;
      }
      states.set(match, one);
      if (kind === 'status') one.status = Math.min(2, one.status + 1);
      else if (kind === 'quiet') one.referee += 'x';
      else if (kind === 'league' && mayMove) one.league = 1 - one.league;
      else one.status = Math.max(1, one.status);
      if (kind === 'score') one.score[match % 2]! += 1;
      if (kind === 'incident') {
        incidents += 1;
        one.incidents.push({ id: `i${incidents}`, minute: one.score[0] });
      }
      if (kind === 'edit' && one.incidents[0]) one.incidents[0].minute += 1;
      if (kind === 'undo') one.incidents.pop();
      await harness.feed([updateOf(one)]);
    };
    // Starts with several pages of data, because only such a pass could lose any.
    for (const match of [0, 1, 2, 3]) await change('incident', match);
    await harness.settle();
    for (const { kind, match } of steps) {
      if (kind === 'move') await harness.move();
      else if (kind === 'cursors') await harness.assignCursors();
      else if (kind === 'page') await page(match + 1);
      else await change(kind, match);
    }
    do await page(2);
    while (more);
    return { cursor: cursor!, stream };
  }

  async function database() {
    return new Map([...(await harness.cards())].map(([id, card]) => [id, knownOf(JSON.parse(card))]));
  }

  async function synchronised(client: Client, cursor: string, parameters: string): Promise<void> {
    await harness.settle();
    for (const page of await harness.pass(cursor, parameters)) client.take(page);
  }

  it('has the database’s status, score and incidents, and after a second sync also the cards', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await harness.settle();
        await harness.clear();
        const client = newClient();
        const { cursor, stream } = await play(steps, client, '', false);
        while ((await harness.move()) > 0);
        for (let since = stream, more = true; more; ) {
          const page = await harness.replay(since, 'limit=3');
          client.follow(page);
          ({ next_cursor: since, has_more: more } = page);
        }
        assert.deepEqual(client.matches, await database());
        await synchronised(client, cursor, '');
        assert.deepEqual(client.cards, await harness.cards());
      }),
      { numRuns: LONG_FORMS ? 30 : 10, seed: 4 },
    );
  });

  it('for one tournament has all cards from that tournament and no more, wherever matches move', async function () {
    this.timeout(120_000);
    await harness.clear();
    await harness.feed([updateOf(newMatch(0))]);
    const { rows } = await harness.db.pool.query<{ id: number }>('SELECT id FROM tournament WHERE name = $1', [
      LEAGUES[0],
    ]);
    const league = rows[0]!.id;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await harness.settle();
        await harness.clear();
        const client = newClient();
        const filter = `&tournament=${league}`;
        const { cursor } = await play(steps, client, filter, true);
        await synchronised(client, cursor, filter);
        const inside = [...(await harness.cards())].filter(([, card]) => JSON.parse(card).tournament_id === league);
        assert.deepEqual(client.cards, new Map(inside));
      }),
      { numRuns: LONG_FORMS ? 20 : 8, seed: 4 },
    );
  });

  describe('while 16 writers commit slowly', () => {
    const WRITERS = 16;
    const EACH = 25;
    const MATCHES = 40;
    let pool: pg.Pool;
    let stop: () => Promise<void>;
    before(async () => {
      await harness.settle();
      await harness.clear();
      pool = openPool(harness.db.url, { warn: () => {} }, WRITERS + 4);
      stop = await harness.relay();
    });
    after(async () => {
      await stop();
      await pool.end();
    });

    /** Changes some matches in one slow transaction, while others commit. */
    async function write(ids: readonly number[]): Promise<void> {
      await transaction(pool, async (client) => {
        await client.query('SELECT FROM match WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [ids]);
        await client.query(
          'UPDATE match SET attendance = coalesce(attendance, 0) + 1, version = version + 1 WHERE id = ANY ($1)',
          [ids],
        );
        await renderCards(client, ids);
        await addPendingChanges(
          client,
          ids.map((match_id) => ({ match_id, tombstone: null })),
        );
        await sleep(Math.random() * 40);
      });
    }

    it('misses no change', async function () {
      this.timeout(60_000);
      const results = await harness.feed(
        Array.from({ length: MATCHES }, (_, serial) => updateOf(newMatch(serial))),
        { events: false },
      );
      const all = results.map(({ matchId }) => matchId!);
      let writing = true;
      const writers = Promise.all(
        Array.from({ length: WRITERS }, async () => {
          for (let turn = 0; turn < EACH; turn += 1) {
            const first = Math.floor(Math.random() * MATCHES);
            await write(all.slice(first, first + 1 + Math.floor(Math.random() * 3)));
          }
        }),
      ).then(() => {
        writing = false;
      });
      const client = newClient();
      let cursor: string | null = null;
      let pages = 0;
      const look = async () => {
        const page = await harness.sync(cursor, 'limit=7');
        client.take(page);
        cursor = page.next_cursor;
        pages += 1;
        return page.has_more;
      };
      while (writing) await look();
      await writers;
      assert.ok(pages > 20, `${pages} pages beside the writers`);
      const waiting = async () =>
        (await pool.query<{ open: boolean }>('SELECT EXISTS (SELECT FROM match_touch) AS open')).rows[0]!.open;
      await until('no change is pending', async () => !(await waiting()), 30_000);
      // The pass under way has only what changed before it read a match. The next pass has the rest.
      while (await look());
      while (await look());
      assert.deepEqual(client.cards, await harness.cards());
    });
  });
});
