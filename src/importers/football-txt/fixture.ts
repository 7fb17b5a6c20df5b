/** Reads a Football.TXT match line, in either form: "A v B  2-1 (1-0)" or "A  2-1 (1-0)  B  @ City (Stadium)". */
import { type OpenScore, parseScore } from '../../providers/openfootball/index.ts';

export interface TextFixture {
  home: string;
  away: string;
  /** HH:MM. Absent if the match begins at the same time as the one before it. */
  time?: string;
  score?: OpenScore;
  ground?: string;
  /** A note such as "awarded" or "postponed". */
  note?: string;
}

const TIME = /^(\d{1,2})[.:](\d\d)(?:\s+\(\d{1,2}[.:]\d\d\s+UTC[+-]\d+\))?\s+/u;
const PAIR = '\\d+-\\d+';
const SCORE = new RegExp(
  `(?:(${PAIR})\\s+pen\\.\\s+)?(${PAIR})(\\s+a\\.e\\.t\\.)?(?:\\s+\\((${PAIR})(?:,\\s*(${PAIR}))?\\))?`,
  'u',
);

export function readFixture(line: string): TextFixture | undefined {
  let rest = line.trim();
  const time = TIME.exec(rest);
  if (time) rest = rest.slice(time[0].length);
  if (!time && !/^\s/u.test(line)) return undefined;
  const [withNote = '', note] = /\s\[([a-z]+)\]\s*$/u.exec(rest) ?? [];
  rest = note ? rest.slice(0, -withNote.length).trimEnd() : rest;
  const [withGround = '', ground] = /\s@\s+(.+)$/u.exec(rest) ?? [];
  rest = ground ? rest.slice(0, -withGround.length).trimEnd() : rest;
  const sides = / v /u.test(rest) ? withV(rest) : withScoreBetween(rest);
  if (!sides) return undefined;
  return {
    home: sides.home,
    away: sides.away,
    ...(time && { time: `${time[1]}:${time[2]}` }),
    ...(sides.score && { score: sides.score }),
    ...(ground && { ground: ground.trim() }),
    ...(note && { note }),
  };
}

interface Sides {
  home: string;
  away: string;
  score?: OpenScore | undefined;
}

function withV(text: string): Sides | undefined {
  const [home = '', ...others] = text.split(/\s+v\s+/u);
  const right = others.join(' v ');
  const [, away, score] = new RegExp(`^(.*?\\S)\\s+(${SCORE.source})$`, 'u').exec(right) ?? [];
  if (away && score) return { home: home.trim(), away: away.trim(), score: readScore(score) };
  return home && right ? { home: home.trim(), away: right.trim() } : undefined;
}

function withScoreBetween(text: string): Sides | undefined {
  const [, home, score, ...others] =
    new RegExp(`^(\\p{L}.*?)\\s+(${SCORE.source})\\s+(\\p{L}.*)$`, 'u').exec(text) ?? [];
  const away = others.at(-1)?.trim();
  // If a minute follows the name, the line lists scorers and is not a match.
  if (!home || !score || !away || away.includes("'")) return undefined;
  return { home: home.trim(), away, score: readScore(score) };
}

/**
 * Reads a score. The brackets hold the half-time score or, after extra time, the score after 90 minutes and then the
 * half-time score. A single score in brackets after extra time is ambiguous, and is left out.
 */
function readScore(written: string): OpenScore | undefined {
  const [, pen, final, extra, first, second] = SCORE.exec(written) ?? [];
  const pair = (text: string | undefined) => {
    const [home, away] = text?.split('-').map(Number) ?? [];
    return home === undefined || away === undefined ? undefined : ([home, away] as const);
  };
  if (!extra) return parseScore({ ft: pair(final), ht: pair(first), p: pair(pen) });
  // After extra time, the brackets hold the score after 90 minutes, then the half-time score.
  return parseScore({ et: pair(final), ft: pair(first), ht: pair(second), p: pair(pen) });
}
