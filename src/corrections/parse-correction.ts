/** Parses the texts with which an operator corrects a match, in a command or a form. */
import { z } from 'zod';
import type { FieldGroup } from '../apply/index.ts';
import type { ParameterError } from '../http/index.ts';
import { at, date, name, smallInt } from '../wire/feed-values.ts';
import { MATCH_STATUSES, STATUS_DETAILS, type StatusDetail } from '../wire/match.ts';
import { wireTime } from '../wire/time.ts';

/** The operator's texts. A field with an absent or blank text is not corrected. */
export interface GivenCorrection {
  /** Such as `2:1`. */
  score?: string | undefined;
  /** Such as `1H 1:0, 2H 1:1`. */
  periods?: string | undefined;
  /** A status or a status detail, such as `finished`, `cancelled` or `after_penalties`. */
  status?: string | undefined;
  /** A time with a zone, or only a day if the time is not known. */
  kickOff?: string | undefined;
  /** Venue id or name, or `none`. */
  venue?: string | undefined;
  /** Id of the goal whose scorer is corrected. */
  goal?: string | undefined;
  /** The scorer's name or participant id. */
  scorer?: string | undefined;
  reason: string;
}

/** Maximum length of a reason, in characters. */
export const MAX_REASON = 500;
const MAX_PERIODS = 100;
const MAX_PERIOD_NAME = 10;

export interface ReadCorrection {
  fields: FieldGroup;
  venue: string | null;
  scorer: { goal: number; player: string } | null;
  reason: string;
}

const given = (text: string | undefined): string | null => text?.trim() || null;

/** Parses the texts. Does not compare them with the match. */
export function readCorrection(input: GivenCorrection): { correction: ReadCorrection; errors: ParameterError[] } {
  const errors: ParameterError[] = [];
  const read = <T>(parameter: string, text: string | undefined, parse: (text: string) => T | string): T | null => {
    const value = given(text);
    if (value === null) return null;
    const parsed = parse(value);
    if (typeof parsed !== 'string') return parsed;
    errors.push({ parameter, code: 'invalid_value', detail: parsed });
    return null;
  };
  const fields: FieldGroup = {
    ...read('score', input.score, readScore),
    ...read('periods', input.periods, readPeriods),
    ...read('status', input.status, readStatus),
    ...read('kick_off', input.kickOff, readKickOff),
  };
  const venue = read('venue', input.venue, (text) => ({ text: readName(text) }));
  const scorer = readScorer(input, errors);
  const reason = readReason(input.reason, errors);
  const names = Object.keys(fields).length + (venue === null ? 0 : 1) + (scorer === null ? 0 : 1);
  if (names === 0 && errors.length === 0) {
    const detail =
      'name at least one value to correct: score, periods, status, kick-off, venue, or a goal and its scorer';
    errors.push({ parameter: 'correction', code: 'required', detail });
  }
  return { correction: { fields, venue: venue?.text ?? null, scorer, reason }, errors };
}

/** Two numbers, such as 2:1. */
const SCORE = /^(\d{1,5})\s*[:–-]\s*(\d{1,5})$/u;

function parseScore(text: string): { home: number; away: number } | null {
  const [, home, away] = (SCORE.exec(text) ?? []).map(Number);
  const score = z.object({ home: smallInt, away: smallInt }).safeParse({ home, away });
  return score.success ? score.data : null;
}

function readScore(text: string): FieldGroup | string {
  const score = parseScore(text);
  return score === null
    ? 'must be two numbers, home side first, such as 2:1'
    : { home_score: score.home, away_score: score.away };
}

function readPeriods(text: string): FieldGroup | string {
  const wrong = 'must be the periods with their scores, such as 1H 1:0, 2H 1:1';
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > MAX_PERIODS) return wrong;
  const period_scores: NonNullable<FieldGroup['period_scores']> = [];
  for (const part of parts) {
    const [, period, score] = /^(\S+)\s+(.+)$/u.exec(part) ?? [];
    const parsed = score === undefined ? null : parseScore(score);
    if (period === undefined || period.length > MAX_PERIOD_NAME || parsed === null) return wrong;
    if (period_scores.some((one) => one.period === period)) return `has the period ${period} twice`;
    period_scores.push({ period, ...parsed });
  }
  return { period_scores };
}

const isDetail = (text: string): text is StatusDetail => Object.hasOwn(STATUS_DETAILS, text);

function readStatus(text: string): FieldGroup | string {
  const value = text.toLowerCase().replaceAll(/[ -]/gu, '_');
  const status = MATCH_STATUSES.find((one) => one === value);
  if (status !== undefined) return { status };
  if (!isDetail(value)) return `must be one of ${[...MATCH_STATUSES, ...Object.keys(STATUS_DETAILS)].join(', ')}`;
  return { status: STATUS_DETAILS[value].status, status_detail: value };
}

function readKickOff(text: string): FieldGroup | string {
  if (date.safeParse(text).success) return { scheduled_start: `${text}T00:00:00Z`, time_tbd: true };
  if (at.safeParse(text).success) return { scheduled_start: wireTime(Date.parse(text)), time_tbd: false };
  return 'must be a time with its zone (2026-05-10T15:00:00Z), or a day if the time is not known (2026-05-10)';
}

const readName = (text: string): string => text;

function readScorer({ goal, scorer }: GivenCorrection, errors: ParameterError[]): ReadCorrection['scorer'] {
  const [number, player] = [given(goal), given(scorer)];
  if (number === null && player === null) return null;
  const fault = (parameter: string, detail: string) => {
    errors.push({ parameter, code: 'invalid_value', detail });
    return null;
  };
  if (number === null) return fault('goal', 'is required with a scorer: the id of the goal');
  if (player === null) return fault('scorer', 'is required with a goal: the name of its scorer');
  if (!/^[1-9]\d{0,8}$/.test(number)) return fault('goal', 'must be the id of a goal');
  const named = name.safeParse(player);
  return named.success
    ? { goal: Number(number), player }
    : fault('scorer', named.error.issues[0]?.message ?? 'must be a name');
}

function readReason(text: string, errors: ParameterError[]): string {
  const reason = text.trim();
  const fault = reasonFault(reason);
  if (fault !== null)
    errors.push({ parameter: 'reason', code: reason === '' ? 'required' : 'invalid_value', detail: fault });
  return reason;
}

export function reasonFault(reason: string): string | null {
  if (reason === '') return 'is required: it is shown in the audit log';
  if ([...reason].length > MAX_REASON) return `must have at most ${MAX_REASON} characters`;
  return reason.includes('\0') || !reason.isWellFormed() ? 'must be well-formed text without NUL' : null;
}
