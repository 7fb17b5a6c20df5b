/** openfootball's scores. `ht` and `ft` are after 45 and 90 minutes, `et` is after extra time, `p` is the shoot-out. */

interface PeriodScore {
  period: string;
  home: number;
  away: number;
}
export interface OpenScore {
  status: 'finished';
  status_detail: 'ended' | 'after_extra_time' | 'after_penalties';
  score: { home: number; away: number };
  period_scores?: PeriodScore[];
}
type Pair = readonly [number, number];

/** @returns undefined for a match without a score yet; an error text for an impossible score */
export function readOpenScore(written: unknown): OpenScore | undefined | string {
  if (written === undefined || written === null) return undefined;
  const parts: Record<string, unknown> = Array.isArray(written) ? { ft: written } : Object(written);
  const pairs: { ht?: Pair; ft?: Pair; et?: Pair; p?: Pair } = {};
  for (const part of ['ht', 'ft', 'et', 'p'] as const) {
    if (parts[part] === undefined) continue;
    if (!isPair(parts[part])) return `${JSON.stringify(parts[part])} is not a score`;
    pairs[part] = parts[part];
  }
  return parseScore(pairs);
}

/** Derives a match's state from the scores after each part. A side's score never includes a shoot-out. */
export function parseScore({
  ht,
  ft,
  et,
  p,
}: {
  ht?: Pair | undefined;
  ft?: Pair | undefined;
  et?: Pair | undefined;
  p?: Pair | undefined;
}): OpenScore | undefined {
  const final = et ?? ft;
  if (!final) return undefined;
  const status_detail = p ? 'after_penalties' : et ? 'after_extra_time' : 'ended';
  const result = { status: 'finished', status_detail, score: { home: final[0], away: final[1] } } as const;
  // A level shoot-out is impossible, so it is left out. Otherwise it would hide another source's right score.
  if (p && p[0] === p[1]) return result;
  const periods: PeriodScore[] = [];
  const period = (name: string, until: Pair, from: Pair) => {
    const [home, away] = [until[0] - from[0], until[1] - from[1]];
    if (home >= 0 && away >= 0) periods.push({ period: name, home, away });
  };
  if (ht && ft) {
    period('1H', ht, [0, 0]);
    period('2H', ft, ht);
  }
  if (et && ft) period('ET', et, ft);
  if (p) period('PEN', p, [0, 0]);
  return { ...result, ...(periods.length > 0 && { period_scores: periods }) };
}

const isPair = (value: unknown): value is Pair =>
  Array.isArray(value) && value.length === 2 && value.every((goals) => Number.isInteger(goals) && goals >= 0);
