/** Invented figures of a generated match: totals that cannot be derived from its timeline, and momentum. */
import { parseMinute, type RecordingInput, type Side } from '../recordings/recording.ts';
import type { Random } from './random.ts';

/** Average goals per match of the demo league. */
export const LEAGUE_AVERAGE = { home: 1.5, away: 1.15 };
const PRESSURE_STAYS = 0.72;
const MINUTES = 90;

type Figure = NonNullable<RecordingInput['statistics']>[number];

/** Possession and the usual totals per half; the stronger side has more of the ball. */
export function ownFigures(random: Random, strengths: Record<Side, number>): Figure[] {
  const balance = strengths.home / (strengths.home + strengths.away);
  return (['1H', '2H'] as const).flatMap((period): Figure[] => {
    const share = Math.round(Math.max(28, Math.min(72, random.around(50 + (balance - 0.5) * 34, 7))));
    const parts = { home: share / 100, away: 1 - share / 100 };
    const passes = Math.round(random.around(440, 40));
    const row = (group: string, name: string, value: (side: Side) => number): Figure => ({
      period,
      group,
      name,
      home: Math.max(0, Math.round(value('home'))),
      away: Math.max(0, Math.round(value('away'))),
    });
    const made = { home: Math.round(passes * parts.home), away: Math.round(passes * parts.away) };
    return [
      { period, group: 'Match overview', name: 'Ball possession', home: share, away: 100 - share, unit: 'percent' },
      row('Match overview', 'Corner kicks', (side) => random.poisson(4.8 * parts[side])),
      row('Discipline', 'Fouls', (side) => random.poisson(11 * (1 - parts[side]))),
      row('Attack', 'Offsides', () => random.poisson(0.9)),
      row('Passes', 'Passes', (side) => made[side]),
      row('Passes', 'Accurate passes', (side) => made[side] * Math.max(0.7, Math.min(0.93, random.around(0.82, 0.04)))),
    ];
  });
}

/** Returns one value per minute: it drifts back to the stronger side, and jumps with a shot or goal. */
export function pressure(
  random: Random,
  strengths: Record<Side, number>,
  timeline: RecordingInput['timeline'],
): number[] {
  const drift = ((strengths.home - strengths.away) / (strengths.home + strengths.away)) * 40;
  const pushes = Array.from({ length: MINUTES + 1 }, () => 0);
  for (const entry of timeline) {
    if (entry.kind !== 'goal' && entry.kind !== 'shot') continue;
    const { minute } = parseMinute(String(entry.at));
    pushes[minute]! += (entry.side === 'home' ? 1 : -1) * (entry.kind === 'goal' ? 60 : 22);
  }
  let value = 0;
  return pushes.slice(1).map((push) => {
    value = PRESSURE_STAYS * value + (1 - PRESSURE_STAYS) * drift + random.around(0, 16) + push;
    return Math.round(Math.max(-100, Math.min(100, value)));
  });
}
