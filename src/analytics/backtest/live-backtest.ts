/** Evaluates win probabilities during past matches, at given minutes. Pure. */
import {
  byResult,
  type Chances,
  ChanceTable,
  type InPlayParameters,
  inPlayParameters,
  REGULAR_TIME,
} from '../../in-play/index.ts';
import type { MeasuredMatch } from '../fit/measured-matches.ts';
import type { MeasuredTournament } from '../fit/read-measured.ts';
import { playedPeriod } from '../samples/match-samples.ts';
import {
  type Calibration,
  calibration,
  OUTCOMES,
  type Outcome,
  type OutcomeForecast,
  type OutcomeScores,
  outcomeEvents,
  outcomeScores,
} from './forecast-scores.ts';

/** Minutes played when a match is predicted; 45 is half-time. */
const LIVE_MINUTES = [0, 15, 30, 45, 60, 75, 85] as const;

/** The calibration is over all three outcomes together. */
export interface LiveScores extends OutcomeScores, Calibration {
  minute: number;
}

export interface LiveReport {
  matches: number;
  tournaments: { id: number; name: string; matches: number }[];
  /** First and last match day as YYYY-MM-DD; null if there is no match. */
  period: { from: string; to: string } | null;
  /** Empty if there is no match. */
  minutes: LiveScores[];
}

export function backtestLive(
  tournaments: readonly MeasuredTournament[],
  parameters: InPlayParameters = inPlayParameters(),
): LiveReport {
  const all = tournaments.flatMap(({ matches }) => matches);
  const forecasts = all.map((match) => forecastMatch(match, parameters));
  return {
    matches: all.length,
    tournaments: tournaments.flatMap(({ id, name, matches }) =>
      matches.length > 0 ? [{ id, name, matches: matches.length }] : [],
    ),
    period: playedPeriod(all),
    minutes:
      all.length === 0
        ? []
        : LIVE_MINUTES.map((minute, index) =>
            computeScores(
              minute,
              forecasts.flatMap((ofMatch) => ofMatch[index] ?? []),
            ),
          ),
  };
}

/** Returns one match's forecasts for the result after 90 minutes, one at each minute. */
function forecastMatch({ rates, turns }: MeasuredMatch, parameters: InPlayParameters): OutcomeForecast[] {
  const tables = new Map<string, ChanceTable>();
  const until = (minute: number) => {
    const goals = { home: 0, away: 0 };
    const sentOff = { home: 0, away: 0 };
    for (const turn of turns) if (turn.minute <= minute) (turn.kind === 'goal' ? goals : sentOff)[turn.side] += 1;
    return { difference: goals.home - goals.away, sentOff };
  };
  const end = byResult(until(REGULAR_TIME.minutes).difference);
  const outcome: Outcome = end.home === 1 ? 'home' : end.away === 1 ? 'away' : 'draw';
  return LIVE_MINUTES.map((minute) => {
    const { difference, sentOff } = until(minute);
    const key = `${sentOff.home} ${sentOff.away}`;
    const table =
      tables.get(key) ?? new ChanceTable({ rates, sentOff, part: REGULAR_TIME, ending: byResult, parameters });
    tables.set(key, table);
    return { probabilities: inOrder(table.at(minute, difference)), outcome };
  });
}

const inOrder = ({ home, draw, away }: Chances): OutcomeForecast['probabilities'] => [home, draw, away];

const computeScores = (minute: number, forecasts: readonly OutcomeForecast[]): LiveScores => ({
  minute,
  ...outcomeScores(forecasts),
  ...calibration(OUTCOMES.flatMap((outcome) => outcomeEvents(forecasts, outcome))),
});
