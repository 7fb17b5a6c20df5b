/** When things of a recording happen, in seconds since the real kick-off: breaks and added time included. */
import { findPeriod, type Period, parseMinute, type Recording, type TimelineEntry } from './recording.ts';

/** Seconds after the final whistle at which the provider declares the match final. */
const FINALIZED_AFTER_S = 180;

export interface PlayedPeriod extends Period {
  /** 0, 1, …: two parts of extra time share the period name. */
  index: number;
  start: number;
  end: number;
}

export interface Timetable {
  listed: number;
  lineups: number;
  confirmed: number;
  periods: PlayedPeriod[];
  /** The timeline in playing order, each entry with its moment. */
  entries: { at: number; entry: TimelineEntry; period: PlayedPeriod; id: string }[];
  finished: number;
  finalized: number;
}

/** Computes the seconds since kick-off of everything in the recording. */
export function timetable(recording: Recording): Timetable {
  const periods: PlayedPeriod[] = [];
  let clock = 0;
  for (const [index, period] of recording.periods.entries()) {
    const end = clock + period.lasts * 60;
    periods.push({ ...period, index, start: clock, end });
    clock = end + period.break * 60;
  }
  const finished = periods.at(-1)!.end;
  const entries = recording.timeline
    .map((entry, index) => {
      const period = periods[findPeriod(recording.periods, entry.at)!]!;
      return { at: secondsIntoMatch(entry, period), entry, period, id: `e${index + 1}` };
    })
    .sort((a, b) => a.at - b.at);
  return {
    listed: -recording.before.listed * 60,
    lineups: -recording.before.lineups * 60,
    confirmed: -recording.before.confirmed * 60,
    periods,
    entries,
    finished,
    finalized: finished + FINALIZED_AFTER_S,
  };
}

/** A moment never falls outside its period, whatever its seconds say. */
function secondsIntoMatch(entry: TimelineEntry, period: PlayedPeriod): number {
  const { minute, plus, kick } = parseMinute(entry.at);
  const whole = kick === null ? minute - period.from - 1 + (plus ?? 0) : kick - 1;
  return Math.min(period.start + whole * 60 + entry.second, period.end - 1);
}

/** Returns every moment at which the state changes: each minute played, each entry, each whistle. */
export function moments(table: Timetable): number[] {
  const all = new Set([table.listed, table.lineups, table.confirmed, table.finished, table.finalized]);
  for (const period of table.periods) {
    all.add(period.start);
    all.add(period.end);
    if (period.period !== 'PEN') {
      for (let at = period.start + 60; at < period.end; at += 60) all.add(at);
    }
  }
  for (const { at } of table.entries) all.add(at);
  return [...all].sort((a, b) => a - b);
}
