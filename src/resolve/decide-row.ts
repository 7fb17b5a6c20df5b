/** Decides which candidate a row means, with a confidence. Pure. */
import { FIT, type Found } from './lookups.ts';
import type { Candidate, Resolution, Row } from './schema.ts';

/** Maximum number of candidates in an answer. */
const LISTED = 10;

/** @param hasPlayed true if the player has played for the club in the row */
export function decideRow(row: Row, found: readonly Found[], hasPlayed: (player: number) => boolean): Resolution {
  const all = keepBestFits(found);
  if (all.length === 0) return unresolved(row, 'unknown_name');
  const fitting = all.filter((candidate) => !contradicts(row, candidate));
  if (fitting.length === 0) return unresolved(row, 'contradiction', all);
  const named = withBestFit(fitting);
  const members = row.club === undefined ? [] : named.filter(({ id }) => hasPlayed(id));
  const [only, other] = members.length > 0 ? members : named;
  if (only === undefined || other !== undefined)
    return unresolved(row, 'several', members.length > 0 ? members : named);
  const hasNamesake = fitting.some(({ id, fit }) => id !== only.id && fit >= FIT.name);
  return { ...answer(row, only), ...support(row, only, { isMember: members.length > 0, hasNamesake }) };
}

/** Keeps the best fit of each candidate, since one may be found in several ways. The result is ordered by id. */
function keepBestFits(found: readonly Found[]): Found[] {
  const byId = new Map<number, Found>();
  for (const one of found.toSorted((a, b) => a.id - b.id)) {
    const known = byId.get(one.id);
    if (known === undefined || known.fit < one.fit) byId.set(one.id, one);
  }
  return [...byId.values()];
}

function withBestFit(candidates: readonly Found[]): Found[] {
  const best = Math.max(...candidates.map(({ fit }) => fit));
  return candidates.filter(({ fit }) => fit === best);
}

/** Sources may assign different countries to a player, so a player's country never contradicts. */
function contradicts({ type, country, birth_date }: Row, candidate: Found): boolean {
  if (birth_date !== undefined && candidate.birth_date !== null) return candidate.birth_date !== birth_date;
  return type !== 'player' && country !== undefined && candidate.country !== null && candidate.country !== country;
}

function support(
  { type, country, birth_date }: Row,
  candidate: Found,
  { isMember, hasNamesake }: { isMember: boolean; hasNamesake: boolean },
): Pick<Resolution, 'confidence' | 'reason'> {
  if (birth_date !== undefined && candidate.birth_date === birth_date)
    return { confidence: 'certain', reason: 'birth_date_and_name' };
  const isInCountry = country !== undefined && candidate.country === country;
  if (type !== 'player' && isInCountry)
    return {
      confidence: candidate.fit === FIT.shortened || hasNamesake ? 'probable' : 'certain',
      reason: 'name_and_country',
    };
  if (isMember) return { confidence: 'probable', reason: 'name_and_club' };
  if (isInCountry) return { confidence: 'probable', reason: 'name_and_country' };
  return { confidence: 'possible', reason: 'name' };
}

const answer = ({ type }: Row, { id, name }: Pick<Candidate, 'id' | 'name'>) => ({ type, id, name, candidates: [] });

/** The answer for a row with an id that we know. */
export const resolvedById = (row: Row, known: Pick<Candidate, 'id' | 'name'>): Resolution => ({
  ...answer(row, known),
  confidence: 'certain',
  reason: 'external_id',
});

export const unresolved = (
  { type }: Row,
  reason: Resolution['reason'],
  candidates: readonly Candidate[] = [],
): Resolution => ({
  type,
  id: null,
  name: null,
  confidence: null,
  reason,
  candidates: candidates
    .slice(0, LISTED)
    .map(({ id, name, sport, gender, country, birth_date }) => ({ id, name, sport, gender, country, birth_date })),
});
