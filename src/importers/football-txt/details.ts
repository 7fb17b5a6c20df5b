/** Reads scorers and line-ups below a Football.TXT match. */

import { countGoals, isSameScore } from '../../providers/index.ts';
import { goalIncidents, parseScore, periodAt } from '../../providers/openfootball/index.ts';
import type { IncidentInput, MatchInput } from '../../wire/feed-update.ts';

type Side = 'home' | 'away';
type Goals = Parameters<typeof goalIncidents>[0];

/**
 * Reads "(Wirtz 10' Musiala 19' Havertz 45+1' (pen.); Rüdiger 87' (o.g.))", the home side's goals and then the away
 * side's. "66', 68'" belong to one player.
 */
export function readGoalLine(text: string): Goals {
  const inside = insideBrackets(text);
  const halves = inside.split(';');
  const goals: Goals[number][] = [];
  for (const [index, half] of halves.entries()) {
    let name = '';
    for (const [, named, minute, plus, note] of half.matchAll(
      /([^\d',()]*?)\s*,?\s*(\d+)(?:\+(\d+))?'\s*(?:\((pen|o\.g|og|p)\.?\))?/gu,
    )) {
      name = named!.trim() || name;
      if (name === '') continue;
      goals.push({
        side: index === 0 ? 'home' : 'away',
        name,
        minute: Number(minute),
        plus: plus ? Number(plus) : null,
        goal_type: note?.startsWith('p') ? 'penalty' : note ? 'own_goal' : 'regular',
      });
    }
  }
  return goals;
}

function insideBrackets(text: string): string {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++;
    else if (text[index] === ')' && --depth === 0) return text.slice(1, index);
  }
  return text.slice(1);
}

export interface TextLineup {
  lineups: NonNullable<MatchInput['lineups']>;
  incidents: IncidentInput[];
}

/**
 * Reads "Germany: Neuer - Kimmich, Tah [Y], … - Andrich [Y] (Groß 46'), …", which is the starting eleven from
 * goalkeeper to forwards, with cards and replacements.
 */
export function readLineup(text: string, side: Side, team: string, teams: readonly string[]): TextLineup | undefined {
  const from = text.indexOf(`${team}:`);
  if (from < 0) return undefined;
  const begin = from + team.length + 1;
  const ends = teams.map((name) => text.indexOf(`${name}:`, begin)).filter((end) => end > 0);
  const written = text.slice(begin, ends.length > 0 ? Math.min(...ends) : undefined);
  const result: TextLineup = { lineups: [], incidents: [] };
  const lines = splitOutside(written, /\s-\s/u);
  for (const [index, line] of lines.entries()) {
    const position = index === 0 ? 'G' : index === 1 ? 'D' : index === lines.length - 1 ? 'F' : 'M';
    for (const man of splitOutside(line, /,/u)) readMan(man.trim(), side, position, result);
  }
  return result.lineups.length > 0 ? result : undefined;
}

function readMan(written: string, side: Side, position: string, result: TextLineup): void {
  const open = written.indexOf('(');
  const [self, inside] =
    open < 0 ? [written, ''] : [written.slice(0, open), written.slice(open + 1).replace(/\)\s*$/u, '')];
  const name = self
    .replace(/\[.*?\]/gu, '')
    .replace(/\d+(?:\+\d+)?'/gu, '')
    .trim();
  if (name === '') return;
  result.lineups.push({ side, player: { name }, position, is_substitute: false });
  readCards(self, name, side, result);
  readReplacement(inside, name, side, result);
}

/**
 * Reads a replacement: "Groß 46'", with a card "Bolla [Y] 46'", or "Can 46' (Undav 84')" if the replacement was later
 * replaced.
 */
function readReplacement(written: string, out: string, side: Side, result: TextLineup): void {
  const parts = /^([^\d([]+?)\s*((?:\[[^\]]*\]\s*)*)(\d+)(?:\+(\d+))?'\s*(?:\((.*)\))?$/u.exec(written.trim());
  if (!parts) return;
  const [, name, cards, minute, plus, next] = parts;
  result.lineups.push({ side, player: { name: name!.trim() }, is_substitute: true });
  result.incidents.push({
    minute: Number(minute),
    minute_plus: plus ? Number(plus) : null,
    period: periodAt(Number(minute)),
    kind: 'subst',
    side,
    player: { name: name!.trim() },
    payload: { player_in: name!.trim(), player_out: out },
  });
  readCards(cards!, name!.trim(), side, result);
  if (next) readReplacement(next, name!.trim(), side, result);
}

const CARDS: Record<string, string> = { Y: 'yellow', R: 'red', 'Y/R': 'second_yellow' };

function readCards(written: string, name: string, side: Side, result: TextLineup): void {
  for (const [, card, minute, plus] of written.matchAll(/\[(Y\/R|Y|R)\s*(?:(\d+)(?:\+(\d+))?')?\]/gu)) {
    result.incidents.push({
      minute: minute ? Number(minute) : null,
      minute_plus: plus ? Number(plus) : null,
      period: minute ? periodAt(Number(minute)) : null,
      kind: 'card',
      side,
      player: { name },
      payload: { card_type: CARDS[card!]! },
    });
  }
}

/** Splits at separators outside all brackets. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  const length = separator.source.startsWith('\\s') ? 3 : 1;
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index);
    if (letter === '(' || letter === '[') depth++;
    if (letter === ')' || letter === ']') depth--;
    if (depth === 0 && separator.test(text.slice(index, index + length))) {
      parts.push(part);
      part = '';
      index += length - 1;
    } else part += letter;
  }
  return [...parts, part].filter((one) => one.trim() !== '');
}

/** Returns the match with the details in the lines below it. Goals that contradict the score are left out. */
export function withStates(
  match: MatchInput,
  goals: Goals | undefined,
  lineups: readonly (TextLineup | undefined)[],
): MatchInput {
  const agrees = goals !== undefined && isSameScore(countGoals(goals), match.score);
  const others = lineups.flatMap((one) => one?.incidents ?? []);
  const incidents = [...(agrees ? goalIncidents(goals) : []), ...others].sort(
    (a, b) => minuteOrder(a) - minuteOrder(b),
  );
  const eleven = lineups.flatMap((one) => one?.lineups ?? []);
  return {
    ...match,
    ...(agrees && lateState(match, goals)),
    // If only the goals were left out, the cards and substitutions would look like a complete list of incidents.
    ...(agrees && { incidents }),
    ...(eleven.length > 0 && { lineups: eleven, lineup_confirmed: true }),
  };
}

const minuteOrder = ({ minute, minute_plus }: IncidentInput) => (minute ?? 1_000) * 100 + (minute_plus ?? 0);

/** Returns the state with extra time if a goal after the 90th minute proves that extra time was played. The score alone does not say so. */
function lateState(match: MatchInput, goals: Goals): Partial<MatchInput> {
  if (match.status_detail !== 'ended' || !goals.some(({ minute }) => minute > 90)) return {};
  const until = (last: number) => {
    const { home, away } = countGoals(goals.filter(({ minute }) => minute <= last));
    return [home, away] as const;
  };
  return parseScore({ ht: until(45), ft: until(90), et: until(120) }) ?? {};
}
