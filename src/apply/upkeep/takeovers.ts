/** Takeovers without an update: the leader of a match is silent, and another provider has reported at least as much. */
import type { Queryable } from '../../db/postgres.ts';
import { BUILT_IN } from '../../identity/precedence.ts';
import { applyUpdates } from '../apply.ts';
import { chooseLeader, MIN_TAKEOVER_MS, parseLead } from '../lead/choose-leader.ts';
import { type Claimed, claimUpdate, loadClaim, loadClaims } from '../lead/claims.ts';
import { rivalClaims } from '../lead/lead-updates.ts';
import { uncorrected } from '../stored/correction-overlay.ts';
import { LEAD, observedAtSql } from '../stored/provenance.ts';
import { type MatchRow, readMatch, SELECT_MATCHES, type StoredMatch } from '../stored/stored-match.ts';
import type { ApplyDeps } from '../update-outcomes.ts';

/**
 * Replaces silent leaders in live matches.
 * @returns how many matches have a new leader
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
  for (const match of matches.map(uncorrected)) {
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
  // The leader is chosen again under the lock.
  const [result] = await applyUpdates(deps, [update], { events: true, areClaims: true });
  return result!.outcome !== 'rejected';
}

/**
 * Returns live matches whose leading provider has sent no update since `before` (ms), and for which another provider has a
 * claim. Reads the live match index.
 */
async function silentlyLed(client: Queryable, before: number): Promise<StoredMatch[]> {
  const { rows } = await client.query<MatchRow>(
    `${SELECT_MATCHES} WHERE status = 'live' AND ${observedAtSql('provenance', LEAD)} < $1
     AND EXISTS (SELECT FROM match_claim c WHERE c.match_id = match.id)`,
    [before],
  );
  return rows.map(readMatch);
}
