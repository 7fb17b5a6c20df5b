import assert from 'node:assert/strict';
import { type ApplyResult, applyUpdates } from '../../src/ingest/apply.ts';
import type { MatchUpdateInput } from '../../src/ingest/feed.ts';
import { feedUpdate } from '../../src/ingest/feed.ts';
import { readCard } from '../../src/matches/queries.ts';
import { matchDetail } from '../../src/matches/schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

type MatchFields = Partial<MatchUpdateInput['match']>;

describe('apply', () => {
  let db: TestDatabase;
  const published: number[] = [];
  let now = Date.parse('2024-05-01T12:00:00Z');
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  const deps = () => ({
    pool: db.pool,
    clock: { now: () => now },
    changes: { publish: (ids: readonly number[]) => void published.push(...ids) },
  });
  let serial = 0;
  function update(match: MatchFields, over: Partial<MatchUpdateInput> = {}): MatchUpdateInput {
    now += 1_000;
    return {
      schema: 1,
      kind: 'match',
      provider: 'live',
      observed_at: new Date(now).toISOString(),
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
  }
  async function feed(...updates: MatchUpdateInput[]): Promise<ApplyResult[]> {
    return applyUpdates(
      deps(),
      updates.map((one) => feedUpdate.parse(one)),
      { events: true },
    );
  }
  async function events(): Promise<{ type: string; data: Record<string, unknown> & { sequence: number } }[]> {
    const { rows } = await db.pool.query('DELETE FROM outbox RETURNING id, envelope');
    return rows.sort((a, b) => a.id - b.id).map((row) => JSON.parse(row.envelope));
  }
  async function card(id: number) {
    return matchDetail.parse(JSON.parse((await readCard(db.pool, id, null))!.card));
  }
  beforeEach(async () => {
    serial += 1;
    await events();
  });

  it('creates a match with its card, and says so once', async () => {
    const first = update({
      venue: { name: 'The Ground', country: 'GB-ENG', city: 'Town', capacity: 100 },
      round_num: 3,
    });
    const [result] = await feed(first);
    assert.equal(result!.outcome, 'accepted');
    const shown = await card(result!.matchId!);
    assert.equal(shown.venue, 'The Ground');
    assert.equal(shown.venue_capacity, 100);
    assert.equal(shown.participants[0]!.score, null);
    assert.deepEqual(
      (await events()).map(({ type }) => type),
      ['match.created'],
    );
    const [again] = await feed({ ...first, observed_at: new Date(now + 1).toISOString() });
    assert.equal(again!.outcome, 'unchanged');
    assert.deepEqual(await events(), []);
  });

  it('tells of a goal, its edit and its removal', async () => {
    await feed(update({}));
    const [{ matchId } = {} as ApplyResult] = await feed(update({ status: 'live' }));
    await events();
    const goal = {
      id: 'g1',
      kind: 'goal',
      minute: 10,
      side: 'home' as const,
      player: { name: 'Striker' },
      payload: { goal_type: 'regular' },
    };
    await feed(update({ status: 'live', minute: 10, score: { home: 1, away: 0 }, incidents: [goal] }));
    const [scored, ...none] = await events();
    assert.deepEqual([scored!.type, none], ['match.goal', []]);
    await feed(update({ incidents: [{ ...goal, player: { name: 'Other' } }] }));
    const [edited] = await events();
    assert.equal(edited!.type, 'match.incident_updated');
    assert.deepEqual(edited!.data.previous, { player_name: 'Striker' });
    await feed(update({ score: { home: 0, away: 0 }, incidents: [] }));
    const removed = await events();
    assert.deepEqual(
      removed.map(({ type }) => type),
      ['match.goal_cancelled'],
    );
    assert.equal(removed[0]!.data.sequence, scored!.data.sequence + 2);
    assert.deepEqual((await card(matchId!)).incidents, []);
  });
});
