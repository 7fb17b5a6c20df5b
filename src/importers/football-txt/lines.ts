/** Classifies Football.TXT lines as stages, days, matches, and details below a match. */
import { textDamage } from '../files.ts';
import { type DayReader, readDays } from './days.ts';
import { readFixture, type TextFixture } from './fixture.ts';

/** A match with the stage and day from the lines above it, or a line that cannot be read. `line` counts from 1. */
export type TextEntry =
  | { line: number; fault: string }
  | {
      line: number;
      fixture: TextFixture;
      stage: string;
      day: string;
      time: string | undefined;
      /** The lines with goals and line-ups, trimmed. */
      details: string[];
    };
type Match = Exclude<TextEntry, { fault: string }>;

/** Matches a group's list of teams, or a matchday's list of days. */
const TABLE_OF_CONTENTS = /^Group \S+\s*\||^\s*[»▪].*\|/u;

/**
 * @param text a whole file
 * @param season the season in the title, to which days without a year belong
 */
export function* textEntries(text: string, season: string): Generator<TextEntry> {
  const lines = text.split(/\r\n|\n|\r/u);
  const state: State = { stage: '', day: undefined, time: undefined };
  const days = readDays(season);
  let match: Match | undefined;
  for (const [index, written] of lines.entries()) {
    const text = written.replace(/\s#.*$|^#.*$/u, '').trimEnd();
    if (text.trim() === '' || text.startsWith('=') || TABLE_OF_CONTENTS.test(text)) continue;
    const line = index + 1;
    const entry = readLine(text, state, days, match);
    if (entry === 'detail') {
      match!.details.push(text.trim());
      continue;
    }
    if (match) yield match;
    match = undefined;
    if (entry === 'heading') continue;
    // If the last line has no line end and no score, it is truncated. It would create a team with half a name.
    const cut = index === lines.length - 1 && typeof entry !== 'string' && !entry.score;
    if (cut) yield { line, fault: 'the file ends in the middle of a match' };
    else if (typeof entry === 'string') yield { line, fault: entry };
    else if (!state.day) yield { line, fault: 'this match comes before the first day' };
    else match = { line, fixture: entry, stage: state.stage, day: state.day, time: state.time, details: [] };
  }
  if (match) yield match;
}

interface State {
  stage: string;
  day: string | undefined;
  time: string | undefined;
}

/** Returns what a line contains, or an error text if the line fits nothing. */
function readLine(
  text: string,
  state: State,
  days: DayReader,
  match: Match | undefined,
): TextFixture | 'heading' | 'detail' | string {
  const damage = textDamage(text);
  if (damage !== undefined) return damage;
  const [, stage] = /^\s*[»▪]\s*(.+)$/u.exec(text) ?? [];
  if (stage !== undefined) {
    state.stage = stage.trim();
    return 'heading';
  }
  const day = days.read(text);
  if (day) {
    state.day = day;
    state.time = undefined;
    return 'heading';
  }
  const fixture = readFixture(text);
  if (fixture) {
    state.time = fixture.time ?? state.time;
    return fixture;
  }
  return match !== undefined && /^\s/u.test(text) && isDetail(text.trim(), match.details)
    ? 'detail'
    : `is neither a day nor a match: ${text.trim().slice(0, 80)}`;
}

/**
 * True for goals in brackets, for "Germany: Neuer - …", and for lines that continue these. False for a match line with
 * a mistake.
 */
function isDetail(text: string, before: readonly string[]): boolean {
  if (text.startsWith('(') || /^\p{L}[^:\d]*:\s/u.test(text)) return true;
  const above = before.join(' ');
  const isOpen = above.split('(').length > above.split(')').length;
  const afterNames = before.some((line) => /^\p{L}[^:\d]*:\s/u.test(line));
  return isOpen || (afterNames && !/^\d{1,2}[.:]\d\d\s|\s(?:v|\d+-\d+)\s/u.test(text));
}
