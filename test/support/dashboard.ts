/** The Grafana dashboard, and the metrics that it queries in PromQL. */
import { readFileSync } from 'node:fs';

const FILE = new URL('../../charts/touchline/files/dashboard.json', import.meta.url);

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** Returns the names in a PromQL expression that are not functions, labels or keywords. */
export function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const names = bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w|\s*\()/g);
  return [...names].map(([name]) => name).filter((name) => !['and', 'or', 'unless', 'bool', 'offset'].includes(name));
}

/** Returns metrics by panel. */
export function dashboardMetrics(): Map<string, string[]> {
  const { panels } = JSON.parse(readFileSync(FILE, 'utf8')) as { panels: Panel[] };
  return new Map(panels.map(({ title, targets = [] }) => [title, targets.flatMap(({ expr }) => metricsIn(expr))]));
}
