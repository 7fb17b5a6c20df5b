/** The rules of charts/touchline/files/alerts.yaml, and their metrics. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { metricsIn } from './dashboard.ts';

export const ALERTS_FILE = new URL('../../charts/touchline/files/alerts.yaml', import.meta.url);

interface Alert {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export function alerts(): Alert[] {
  const { groups } = parse(readFileSync(ALERTS_FILE, 'utf8')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** Returns metrics by alert. */
export const alertMetrics = (): Map<string, string[]> =>
  new Map(alerts().map(({ alert, expr }) => [alert, metricsIn(expr)]));
