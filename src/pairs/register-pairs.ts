/** Makes pairs of participants that claim the same entry of a register, or the same outside id. */
import { type Queryable, transaction } from '../db/postgres.ts';
import { haveClashed } from './evidence.ts';
import { addPair, type PairDeps } from './find-pairs.ts';
import { likeness } from './likeness.ts';

interface Claim {
  known: number;
  other: number;
  names: string[];
  other_names: string[];
}

const NAMES = (id: string) =>
  `ARRAY(SELECT DISTINCT n.key FROM participant_alias n WHERE n.participant_id = ${id} ORDER BY 1 LIMIT 50)`;

/**
 * Selects participants that claim the same entry and are not a pair yet. The first one is the one to which the entry is linked or, if
 * there is none, the older one. Several entries that fit one participant each say nothing about the participants.
 */
const CLAIMS = `SELECT DISTINCT k.id AS known, o.id AS other, ${NAMES('k.id')} AS names, ${NAMES('o.id')} AS other_names
  FROM register_entry e CROSS JOIN LATERAL unnest(e.candidates) c
  JOIN participant k ON k.id = coalesce(e.entity_id, e.candidates[1]) AND k.person_id IS NULL
  JOIN participant o ON o.id = c AND o.id <> k.id AND o.person_id IS NULL AND o.type = k.type AND o.sport = k.sport AND o.gender = k.gender
  WHERE e.entity IN ('team', 'player') AND cardinality(e.candidates) > 1 AND e.reason <> 'several_entries'
    AND NOT EXISTS (SELECT FROM participant_pair x WHERE (x.known_id, x.other_id) IN ((k.id, o.id), (o.id, k.id)))
  ORDER BY 1, 2`;

/**
 * Creates a function that adds new pairs and returns how many there are. It remembers which participants are certainly distinct,
 * because they have clashed, and does not compare these again.
 */
export function createRegisterPairs({ pool, clock }: Pick<PairDeps, 'pool' | 'clock'>): () => Promise<number> {
  const distinct = new Set<string>();
  return async () => {
    const { rows } = await pool.query<Claim>(CLAIMS);
    let count = 0;
    for (const claim of rows) {
      const key = `${claim.known} ${claim.other}`;
      if (distinct.has(key)) continue;
      const added = await transaction(pool, (client) => addClaim(client, claim, clock.now()));
      if (added === null) distinct.add(key);
      count += added ?? 0;
    }
    return count;
  };
}

/** @returns 1 if the pair is new; null if the two are certainly distinct */
async function addClaim(client: Queryable, { known, other, names, other_names }: Claim, now: number) {
  if (await haveClashed(client, known, other)) return null;
  return addPair(client, [known, other], likeness(names, other_names), now);
}
