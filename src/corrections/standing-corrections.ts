/** Combines a match's standing corrections into one. For each field, the newest correction that names the field wins. Pure. */
import type { Correction, FieldGroup } from '../apply/index.ts';

/** Groups of fields that belong together. If any field in a group is corrected again, the whole group is replaced. */
const TOGETHER: readonly (readonly (keyof FieldGroup)[])[] = [
  ['status', 'status_detail'],
  ['scheduled_start', 'time_tbd'],
  ['home_score', 'away_score'],
];

function isOtherScore(former: FieldGroup, given: FieldGroup): boolean {
  return (
    given.home_score !== undefined && (given.home_score !== former.home_score || given.away_score !== former.away_score)
  );
}

/** @param corrections oldest first */
export function sumCorrections(corrections: readonly Correction[]): Correction {
  let fields: FieldGroup = {};
  let players: Correction['players'] = {};
  for (const given of corrections) {
    const replaced = TOGETHER.filter((group) => group.some((field) => field in given.fields)).flat();
    // Period scores from an earlier correction belong to the earlier score.
    if (isOtherScore(fields, given.fields)) replaced.push('period_scores');
    const kept = { ...fields };
    for (const field of replaced) delete kept[field];
    fields = { ...kept, ...given.fields };
    players = { ...players, ...given.players };
  }
  return { fields, players };
}
