/** For page tests: a live match, and a team that two sources name differently. */
import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import { findPairs } from '../../src/pairs/find-pairs.ts';
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

/**
 * Stores a team from a history, and a similar one from a live source.
 * @returns the id of their pair
 */
export async function storePair({ pool, clock, deps }: AccountApp): Promise<number> {
  const update = (provider: string, name: string, start: string) =>
    feedUpdate.parse({
      schema: 1,
      kind: 'match',
      provider,
      observed_at: new Date(clock.now()).toISOString(),
      match: {
        id: name,
        sport: 'football',
        tournament: { name: 'Regional League', country: 'DE' },
        season: { label: '2025/26' },
        home: { name, country: 'DE' },
        away: { name: `Guests of ${provider}`, country: 'DE' },
        scheduled_start: start,
      },
    });
  const apply = { pool, clock, changes: deps.changes, entities: new EntityCache() };
  const updates = [
    update('openfootball', 'Sportfreunde <Lotte>', '2025-08-01T15:00:00Z'),
    update('live', 'Sportfr. Lotte', '2025-08-09T15:00:00Z'),
  ];
  for (const result of await applyUpdates(apply, updates, { events: false })) assert.equal(result.outcome, 'accepted');
  await findPairs({ pool, clock, config: { precedence: BUILT_IN } });
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM participant_pair');
  assert.equal(rows.length, 1);
  return rows[0]!.id;
}
