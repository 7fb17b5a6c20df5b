/**
 * Maps the sources' round names to common names: "Finals, Quarterfinals" and "quarter-final" both become
 * Quarter-finals.
 */
import type { KnownTournament } from '../identity/canonical-tournaments.ts';

export interface Round {
  round_num: number | null;
  round_name: string | null;
  group_name: string | null;
}

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^round of (\d+)$/u, 'Round of $1'],
  [/^last (\d+)$/u, 'Round of $1'],
  [/^quarter-?\s?finals?$/u, 'Quarter-finals'],
  [/^semi-?\s?finals?$/u, 'Semi-finals'],
  [/^(match for third place|third[- ]place( match| play-?off)?)$/u, 'Third place'],
  [/^final$/u, 'Final'],
  [/^play-?offs?$/u, 'Play-offs'],
];
/** Stages that add no information to the round, or whose name is not a group's name. */
const PLAIN_STAGES = new Set([
  'regular',
  'league',
  'league phase',
  'finals',
  'group',
  'playoffs',
  'qualification',
  'qualifying',
  'clausura playoffs',
  'apertura playoffs',
]);

/**
 * @param written the source's round name, such as "Matchday 12", "12. Round", "Championship, Matchday 23", "Finals,
 *   Round of 16", "Group A"
 * @param tournament the tournament; its stages, such as "Apertura", may precede the round, and are not groups
 */
export function readRound(written: string, tournament?: KnownTournament): Round {
  if (written.trim() === '') return { round_num: null, round_name: null, group_name: null };
  const comma = written.indexOf(', ');
  const stage = comma > 0 ? written.slice(0, comma) : undefined;
  const rest = (comma > 0 ? written.slice(comma + 2) : written).trim();
  const group = parseGroup(stage, tournament) ?? (/^(?:group|gruppe) \S+$/iu.test(rest) ? groupLetter(rest) : null);
  const matchday = /^(?:matchday|round|spieltag) (\d+)$/iu.exec(rest) ?? /^(\d+)\. round$/iu.exec(rest);
  if (matchday) {
    const number = Number(matchday[1]);
    const knockout = stage === undefined ? undefined : /^(qualifying|playoffs?|play-?offs)$/iu.exec(stage)?.[1];
    if (knockout)
      return {
        round_num: null,
        round_name: knockout === 'Qualifying' ? `Qualifying round ${number}` : 'Play-offs',
        group_name: null,
      };
    // Qualifying competitions have rounds, not matchdays.
    if (tournament?.rules?.table === false) return { round_num: null, round_name: `Round ${number}`, group_name: null };
    return { round_num: number, round_name: `Matchday ${number}`, group_name: group };
  }
  return { round_num: null, round_name: group === groupLetter(rest) ? null : roundName(rest), group_name: group };
}

/** Returns the canonical name for a knock-out round, or the text unchanged. */
export function roundName(written: string): string {
  const lower = written.toLowerCase().trim();
  for (const [pattern, name] of NAMES) if (pattern.test(lower)) return lower.replace(pattern, name);
  return written.trim();
}

/** Returns "Group C" for "Group c" or "Gruppe C". */
export function groupLetter(written: string): string {
  return written
    .trim()
    .replace(/^(?:group|gruppe)\s+/iu, 'Group ')
    .replace(/^Group ([a-z])$/u, (_, letter: string) => `Group ${letter.toUpperCase()}`);
}

function parseGroup(stage: string | undefined, tournament: KnownTournament | undefined): string | null {
  if (stage === undefined || tournament?.one_table) return null;
  if (PLAIN_STAGES.has(stage.toLowerCase()) || tournament?.name.includes(stage)) return null;
  return /^(?:group|gruppe) \S+$/iu.test(stage) ? groupLetter(stage) : stage;
}
