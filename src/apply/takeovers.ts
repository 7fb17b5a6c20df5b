/** Takeovers that no update causes: the leader of a match is silent, and another provider has said what there was to say. */
import { BUILT_IN } from '../identity/precedence.ts';
import { applyUpdates } from './apply.ts';
import { type Claimed, claimUpdate, loadClaim, loadClaims } from './claims.ts';
import type { ApplyDeps } from './interface.ts';
import { chooseLeader, MIN_TAKEOVER_MS, parseLead } from './lead.ts';
import { rivalClaims } from './plan-leads.ts';
import { type StoredMatch, silentlyLed } from './store.ts';

/**
 * @returns how many matches have another leader
 * @throws the first error, after all matches have been tried
 */
export async function replaceSilentLeaders(deps: ApplyDeps): Promise<number> {
  const { pool, clock } = deps;
  const now = clock.now();
  const matches = await silentlyLed(pool, now - MIN_TAKEOVER_MS);
  const claims = await loadClaims(
    pool,
    matches.map(({ id }) => id),
  );
  let replaced = 0;
  const failures: unknown[] = [];
  for (const match of matches) {
    try {
      if (await replaceLeader(deps, match, claims.get(match.id)!, now)) replaced += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return replaced;
}

async function replaceLeader(
  deps: ApplyDeps,
  match: StoredMatch,
  claims: ReadonlyMap<string, Claimed>,
  now: number,
): Promise<boolean> {
  const lead = parseLead(match.provenance)!;
  const leader = chooseLeader(deps.config?.precedence ?? BUILT_IN, match, lead, rivalClaims(claims, match, lead), now);
  if (leader === lead.provider) return false;
  const { update } = claimUpdate(leader, await loadClaim(deps.pool, match.id, leader), lead.receivedAt);
  // Decided again under the lock.
  const [result] = await applyUpdates(deps, [update], { events: true, areClaims: true });
  return result!.outcome !== 'rejected';
}
