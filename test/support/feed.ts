/**
 * A provider for tests. It sends updates for one match after another, applies them to a real database, and reads the
 * results.
 */
import assert from 'node:assert/strict';
import type { z } from 'zod';
import { applyUpdates } from '../../src/apply/apply.ts';
import type { ApplyDeps, ApplyResult } from '../../src/apply/update-outcomes.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { readCard } from '../../src/matches/read-card.ts';
import { envelope } from '../../src/wire/envelope.ts';
import { type FeedUpdateInput, feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { matchDetail, matchItem } from '../../src/wire/match.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type MatchFields = Partial<MatchUpdateInput['match']>;
export type Envelope = z.infer<typeof envelope>;
export type Card = z.infer<typeof matchDetail>;

export interface FeedBench {
  db: TestDatabase;
  deps: ApplyDeps;
  /** The service's clock, in ms. Each update advances it by a second, and is observed at that time. */
  now: number;
  /** Ids of matches that were published as changed. */
  published: number[];
  /** Continues with a new match between new sides. */
  nextMatch(): void;
  /** Returns a different provider's id for the match. */
  other(): string;
  update(match?: MatchFields, over?: Partial<Omit<MatchUpdateInput, 'match'>>): MatchUpdateInput;
  /**
   * Validates and applies a live feed's updates, which have to be valid. Invalid updates are tested in receive.test.ts.
   */
  feed(...updates: FeedUpdateInput[]): Promise<ApplyResult[]>;
  /**
   * Applies one update that must be accepted.
   * @returns our id for the match
   */
  accept(match?: MatchFields, over?: Partial<Omit<MatchUpdateInput, 'match'>>): Promise<number>;
  /** Returns the events since the last call, in order. Each is checked against the envelope's strict schema. */
  events(): Promise<Envelope[]>;
  card(id: number): Promise<Card>;
  /** Returns those rows about a match that an update without changes must not touch. */
  footprint(id: number): Promise<object>;
}

const START = '2024-05-01T12:00:00Z';

export async function openFeedBench(): Promise<FeedBench> {
  const db = await createTestDatabase();
  let serial = 0;
  const bench: FeedBench = {
    db,
    now: Date.parse(START),
    published: [],
    deps: {
      pool: db.pool,
      clock: { now: () => bench.now },
      changes: { publish: (ids) => void bench.published.push(...ids) },
      entities: new EntityCache(),
    },
    nextMatch() {
      serial += 1;
    },
    other: () => `theirs-${serial}`,
    update(match = {}, over = {}) {
      bench.now += 1_000;
      return {
        schema: 1,
        kind: 'match',
        provider: 'live',
        observed_at: new Date(bench.now).toISOString(),
        ...over,
        match: {
          id: `m${serial}`,
          sport: 'football',
          tournament: { id: 'l1', name: 'First League', country: 'GB-ENG' },
          season: { label: '2023/24' },
          home: { id: `h${serial}`, name: `Home ${serial}`, country: 'GB-ENG' },
          away: { id: `a${serial}`, name: `Away ${serial}`, country: 'GB-ENG' },
          scheduled_start: '2024-05-01T14:00:00Z',
          ...match,
        },
      };
    },
    feed: (...updates) =>
      applyUpdates(
        bench.deps,
        updates.map((update) => feedUpdate.parse(update)),
        { events: true },
      ),
    async accept(match, over) {
      const [result] = await bench.feed(bench.update(match, over));
      assert.equal(result!.outcome, 'accepted', JSON.stringify(result));
      return result!.matchId!;
    },
    async events() {
      const { rows } = await db.pool.query<{ id: number; type: string; envelope: string }>(
        'DELETE FROM outbox RETURNING id, type, envelope',
      );
      return rows
        .sort((a, b) => a.id - b.id)
        .map((row) => {
          const sent: unknown = JSON.parse(row.envelope);
          const parsed = envelope.parse(sent);
          assert.deepEqual(sent, parsed);
          assert.equal(parsed.type, row.type);
          assert.equal(parsed.id, `evt_${parsed.data.match.id}_${parsed.data.sequence}`);
          return parsed;
        });
    },
    async card(id) {
      const stored = await readCard(db.pool, id, null);
      assert.ok(stored !== null, `there is no card of ${id}`);
      const item = await db.pool.query<{ item: string }>('SELECT item FROM match_card WHERE match_id = $1', [id]);
      const sent: unknown = JSON.parse(String(stored.card));
      const shown = matchDetail.parse(sent);
      assert.deepEqual(sent, shown);
      matchItem.parse(JSON.parse(item.rows[0]!.item));
      return shown;
    },
    async footprint(id) {
      const { rows } = await db.pool.query(
        `SELECT m.version, m.sequence, m.updated_at::text, m.detail_at::text, c.item, c.detail,
           (SELECT json_agg(json_build_array(block, json, CASE WHEN block = 'incidents' THEN source END) ORDER BY block)
             FROM match_block b WHERE b.match_id = m.id) AS blocks,
           (SELECT json_agg(p ORDER BY side, player_key) FROM match_player p WHERE p.match_id = m.id) AS players,
           (SELECT count(*) FROM match_touch t WHERE t.match_id = m.id) AS pending_changes,
           (SELECT count(*) FROM outbox o WHERE o.match_id = m.id) AS events
         FROM match m JOIN match_card c ON c.match_id = m.id WHERE m.id = $1`,
        [id],
      );
      assert.equal(rows.length, 1, `there is no match ${id}`);
      return rows[0]!;
    },
  };
  return bench;
}

export const types = (events: readonly Envelope[]): string[] => events.map(({ type }) => type);
