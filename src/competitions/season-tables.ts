/** Sorts a season's matches into tables. A season has one table for the league, one for each group, or none. Pure. */

import { knockoutRound } from './bracket/round-names.ts';
import { components, inferStages } from './inferred-groups.ts';
import { sidesOf } from './meetings.ts';
import type { TableMatchRow } from './queries.ts';

export interface Table {
  /** Null for a season's only table. */
  name: string | null;
  matches: TableMatchRow[];
}

/** Names of groups that consist of knock-out ties, such as play-off paths and qualifying rounds. */
const NOT_A_GROUP =
  /\b(play-?offs?|path(way)?|knock-?outs?)\b|^(qualification|qualifying|preliminary)( (round|phase|stage))?( \d+)?$/i;
/** Returns a pattern that matches a whole word. Words may have letters of any language. */
const word = (pattern: string) => new RegExp(`(?<![\\p{L}\\p{N}_])(${pattern})(?![\\p{L}\\p{N}_])`, 'iu');
const KNOCKOUT_ROUND = word('finals?|semi-?finals?|quarter-?finals?|round of \\d+|last \\d+|third place|1/\\d+');
/** Names for rounds that may be knock-out rounds if the match has no matchday number. */
const CUP_ROUND = word(
  'play-?offs?|qualif[\\p{L}\\p{N}_]*|preliminary|knockout|replay|relegation|promotion|[\\p{L}\\p{N}_]+ (round|leg)',
);
/** A play-off between sides that are level. */
const PLAY_OFF = word('play-?offs?');
const LEAGUE_PHASE = /^league (phase|stage)$/i;
/** Minimum share of all sides that play on a matchday. In a knock-out, only half the sides are left after the first round. */
const MATCHDAY_SHARE = 0.75;

/**
 * @param league true if the matches belong to one table unless they have groups
 * @param nameOf returns a side's name; inferred groups are ordered by these names
 * @param namesOf returns official group names for the groups' side names; null if unknown
 */
export function buildTables(
  matches: readonly TableMatchRow[],
  league: boolean,
  nameOf: (side: number) => string,
  namesOf: GroupNamer = () => null,
): Table[] {
  const given = matches.filter(({ group }) => group !== null);
  const grouped = league ? given : given.filter(({ group }) => !NOT_A_GROUP.test(group!));
  const others = leagueMatches(matches).filter(({ group }) => group === null);
  const matchdays = others.filter(({ matchday }) => matchday !== null);
  const named = buildGroups(grouped);
  if (league) return [...single(given.length > 0 ? matchdays : others), ...named];
  const leaguePhase = others.filter(({ round }) => LEAGUE_PHASE.test(round));
  if (leaguePhase.length > 0) return [...single(leaguePhase), ...named];
  if (isMatchdayPlan(matchdays)) return [...single(matchdays), ...named];
  return named.length > 0 ? named : inferredTables(others, nameOf, namesOf);
}

/** Returns all matches except knock-outs, in any group. */
export const leagueMatches = (matches: readonly TableMatchRow[]): TableMatchRow[] =>
  matches.filter(
    ({ round, matchday }) =>
      !KNOCKOUT_ROUND.test(round) && (matchday !== null || !(CUP_ROUND.test(round) || isNamedKnockout(round))),
  );

/** Returns true if the name means a knock-out round. Numbered rounds do not count, since they may be matchdays. */
function isNamedKnockout(round: string): boolean {
  const found = knockoutRound(round, null);
  return found !== null && !found.numbered;
}

/** Returns the play-off matches between level sides, which decide positions but do not count in the tables. */
export const selectPlayOffs = (matches: readonly TableMatchRow[]): TableMatchRow[] =>
  matches.some(({ group }) => group !== null)
    ? matches.filter(({ group, round }) => group === null && PLAY_OFF.test(round))
    : [];

const single = (matches: TableMatchRow[]): Table[] => (matches.length > 0 ? [{ name: null, matches }] : []);

/** Returns the round's name if the round is a stage, not a matchday. Two stages may each have a group with the same name. */
const stageName = ({ round, matchday }: TableMatchRow) => (matchday === null && !/\d/.test(round) ? round : '');

/**
 * Returns the groups, ordered by stage. If groups in two stages have the same name, the stage is added to their names.
 */
function buildGroups(matches: readonly TableMatchRow[]): Table[] {
  const stages = [...new Set(matches.map(stageName))];
  const stagesByGroup = new Map<string | null, Set<string>>();
  for (const match of matches)
    stagesByGroup.set(match.group, (stagesByGroup.get(match.group) ?? new Set()).add(stageName(match)));
  const groups = new Map<string, Table & { stage: number }>();
  for (const match of matches) {
    const stage = stageName(match);
    const shared = stage !== '' && stagesByGroup.get(match.group)!.size > 1;
    const name = shared ? `${stage}, ${match.group}` : match.group!;
    if (!groups.has(name)) groups.set(name, { name, stage: stages.indexOf(stage), matches: [] });
    groups.get(name)!.matches.push(match);
  }
  return [...groups.values()].sort(
    (a, b) => a.stage - b.stage || a.name!.localeCompare(b.name!, 'en', { numeric: true }),
  );
}

/**
 * Returns true for a league phase that is not a round robin: nearly all sides play on each matchday, and matches connect all
 * sides.
 */
function isMatchdayPlan(matches: readonly TableMatchRow[]): boolean {
  const sides = sidesOf(matches);
  const rounds = new Map<number, TableMatchRow[]>();
  for (const match of matches) rounds.set(match.matchday!, [...(rounds.get(match.matchday!) ?? []), match]);
  if (rounds.size < 2 || components(matches).length > 1) return false;
  return [...rounds.values()].every((round) => {
    const playing = round.length * 2;
    return playing >= sides.size * MATCHDAY_SHARE && sidesOf(round).size === playing;
  });
}

export type GroupNamer = (groups: readonly (readonly string[])[]) => readonly string[] | null;

/**
 * Returns the inferred groups, with official names if these are known. Otherwise a stage's groups are numbered by the name of
 * their first side. A season's only group has no name.
 */
function inferredTables(
  matches: readonly TableMatchRow[],
  nameOf: (side: number) => string,
  namesOf: GroupNamer,
): Table[] {
  const stages = inferStages(matches.filter(({ abandoned }) => !abandoned));
  const namesIn = (group: readonly TableMatchRow[]) => [...sidesOf(group)].map(nameOf);
  const [only, second] = stages;
  const names = only === undefined || second !== undefined ? null : namesOf(only.map(namesIn));
  if (names !== null)
    return names
      .map((name, index) => ({ name, matches: only?.[index] ?? [] }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  const numbered = (stage: number, index: number, { length }: { length: number }) => {
    if (second !== undefined) return `${stage + 1}.${index + 1}`;
    return length > 1 ? String(index + 1) : null;
  };
  return stages.flatMap((groups, stage) =>
    groups
      .map((group) => ({ group, first: namesIn(group).sort()[0] ?? '' }))
      .sort((a, b) => (a.first < b.first ? -1 : 1))
      .map(({ group }, index) => ({ name: numbered(stage, index, groups), matches: group })),
  );
}
