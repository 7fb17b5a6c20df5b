/** Two stored matches that are one, since their sides turned out to be: one stays, and takes what only the other has. Pure. */
import { comparePlaces, parseLead } from '../lead/lead.ts';
import { readCovered } from '../stored/correction-overlay.ts';
import type { MatchState } from '../stored/match-state.ts';
import type { Provenance, ProvenanceDraft } from '../stored/provenance.ts';
import type { StoredMatch } from '../stored/stored-match.ts';

const PHASES = ['scheduled', 'live', 'finished'];

/** Orders two matches: the first one stays. A corrected one does, then the further one, then the one that a live source updates. */
export function orderSame(a: StoredMatch, b: StoredMatch): [stays: StoredMatch, goes: StoredMatch] {
  const place = (match: StoredMatch) => [
    readCovered(match.provenance) === null ? 1 : 0,
    -PHASES.indexOf(match.status),
    parseLead(match.provenance) === null ? 1 : 0,
    match.id,
  ];
  return comparePlaces(place(a), place(b)) < 0 ? [a, b] : [b, a];
}

/** Groups of fields that say nothing about the state of a match. */
const FILLED = {
  round_num: ['round_num'],
  round_name: ['round_name'],
  group_name: ['group_name'],
  venue: ['venue_id'],
  referee: ['referee'],
  attendance: ['attendance'],
  neutral: ['neutral'],
  importance: ['importance'],
} as const satisfies Record<string, readonly (keyof MatchState)[]>;

/** Returns the fields that the match lacks and the other has, with the provenance of both. */
export function filledFields(stays: StoredMatch, goes: StoredMatch): Partial<StoredMatch> & { provenance: Provenance } {
  const fields: Partial<StoredMatch> = {};
  const provenance: ProvenanceDraft = { ...stays.provenance };
  for (const [group, columns] of Object.entries(FILLED)) {
    const owner = goes.provenance[group];
    if (owner === undefined || stays.provenance[group] !== undefined) continue;
    provenance[group] = owner;
    for (const column of columns) Object.assign(fields, { [column]: goes[column] });
  }
  return { ...fields, provenance };
}
