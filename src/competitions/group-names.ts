/** Official names for inferred groups, from data/group-names.csv. */
import { dataRows } from '../wire/data-file.ts';

let names: Map<string, Map<string, string>> | undefined;

function readNames(): Map<string, Map<string, string>> {
  const rows = dataRows('group-names.csv', ['sport', 'tournament', 'season', 'group', 'team']);
  const found = new Map<string, Map<string, string>>();
  for (const { sport, tournament, season, group, team } of rows) {
    const key = `${sport}|${tournament}|${season}`;
    found.set(key, (found.get(key) ?? new Map<string, string>()).set(team, group));
  }
  return found;
}

/**
 * Names a season's groups.
 * @param groups side names for each group
 * @returns the names in the order of the groups; null if a name is unknown, or if two names are the same
 */
export function groupNames(
  { sport, tournament, season_label }: { sport: string; tournament: string; season_label: string | null },
  groups: readonly (readonly string[])[],
): string[] | null {
  names ??= readNames();
  const byTeam = names.get(`${sport}|${tournament}|${season_label}`);
  if (byTeam === undefined) return null;
  const found = groups.map((sides) => sides.flatMap((side) => byTeam.get(side) ?? []));
  const isSure = found.every(({ length }) => length === 1) && new Set(found.flat()).size === groups.length;
  return isSure ? found.flat() : null;
}
