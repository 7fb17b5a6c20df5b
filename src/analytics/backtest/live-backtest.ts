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
import { formatDate } from '../samples/sample.ts';
import {
  brierScore,
  expectedCalibrationError,
  logLoss,
  type OutcomeForecast,
  type ReliabilityBin,
  rankedProbabilityScore,
  reliabilityTable,
} from './forecast-scores.ts';
import type { Outcome } from './match-scores.ts';

/** Minutes that are over when a match is predicted; 45 is half-time. */
const LIVE_MINUTES = [0, 15, 30, 45, 60, 75, 85] as const;

export interface LiveScores {
  minute: number;
  rps: number;
  brier: number;
  log_loss: number;
  /** Counts the three outcomes together; between 0 and 1. */
  calibration_error: number;
  /** Its bins have the three outcomes together. */
  reliability: ReliabilityBin[];
}

export interface LiveReport {
  matches: number;
  tournaments: { id: number; name: string; matches: number }[];
  /** YYYY-MM-DD of the first and the last match; null if there is none. */
  period: { from: string; to: string } | null;
  /** Empty if there is no match. */
  minutes: LiveScores[];
}

export function backtestLive(
  tournaments: readonly MeasuredTournament[],
  parameters: InPlayParameters = inPlayParameters(),
): LiveReport {
  const all = tournaments.flatMap(({ matches }) => matches);
  const starts = all.map(({ start }) => start).sort((a, b) => a - b);
  const forecasts = all.map((match) => forecastMatch(match, parameters));
  return {
    matches: all.length,
    tournaments: tournaments.flatMap(({ id, name, matches }) =>
      matches.length > 0 ? [{ id, name, matches: matches.length }] : [],
    ),
    period: starts.length > 0 ? { from: formatDate(starts[0]!), to: formatDate(starts.at(-1)!) } : null,
    minutes:
      all.length === 0
        ? []
        : LIVE_MINUTES.map((minute, index) =>
            computeScores(
              minute,
              forecasts.map((ofMatch) => ofMatch[index]!),
            ),
          ),
  };
}

/** Returns the forecasts of the result after 90 minutes at each of the minutes. */
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

function computeScores(minute: number, forecasts: readonly OutcomeForecast[]): LiveScores {
  const events = (['home', 'draw', 'away'] as const).flatMap((outcome, index) =>
    forecasts.map((forecast) => ({
      probability: forecast.probabilities[index]!,
      occurred: forecast.outcome === outcome,
    })),
  );
  return {
    minute,
    rps: rankedProbabilityScore(forecasts)!,
    brier: brierScore(forecasts)!,
    log_loss: logLoss(forecasts)!,
    calibration_error: expectedCalibrationError(events)!,
    reliability: reliabilityTable(events),
  };
}
