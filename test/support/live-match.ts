/** A live match for tests of pages. */
import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import type { AccountApp } from './account-app.ts';

/** Stores a live match with a goal. @returns its id */
export async function storeMatch({ pool, clock, deps }: AccountApp): Promise<number> {
  const update = feedUpdate.parse({
    schema: 1,
    kind: 'match',
    provider: 'live',
    observed_at: new Date(clock.now()).toISOString(),
    match: {
      id: 'm1',
      sport: 'football',
      tournament: { id: 't', name: 'First League', country: 'GB-ENG' },
      season: { label: '2025/26' },
      home: { id: 'h', name: 'Reds & Co', country: 'GB-ENG' },
      away: { id: 'a', name: 'Blues', country: 'GB-ENG' },
      scheduled_start: new Date(clock.now()).toISOString(),
      status: 'live',
      score: { home: 2, away: 0 },
      incidents: [{ kind: 'goal', side: 'home', minute: 12, player: { name: 'Ana' } }],
    },
  });
  const apply = { pool, clock, changes: deps.changes, entities: new EntityCache() };
  const [result] = await applyUpdates(apply, [update], { events: true });
  assert.equal(result!.outcome, 'accepted', JSON.stringify(result));
  return result!.matchId!;
}
