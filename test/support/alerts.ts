/** The chart's rules, alerts.yaml and objectives.yaml in charts/touchline/files, and the metrics that they use. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { metricsIn } from './dashboard.ts';

const FILES = new URL('../../charts/touchline/files/', import.meta.url);
export const RULE_FILES = [new URL('alerts.yaml', FILES), new URL('objectives.yaml', FILES)];

interface Alert {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

interface Recording {
  record: string;
  expr: string;
  labels?: Record<string, string>;
}

const rules = (): (Alert | Recording)[] =>
  RULE_FILES.flatMap((file) => {
    const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: (Alert | Recording)[] }[] };
    return groups.flatMap((group) => group.rules);
  });

/** Returns the alerts in the order of the documentation, with the objectives' alerts last. */
export const alerts = (): Alert[] => rules().filter((rule) => 'alert' in rule);

export const recordings = (): Recording[] => rules().filter((rule) => 'record' in rule);

/** Returns the names of the series that rules record. */
export const recordedNames = (): Set<string> => new Set(recordings().map(({ record }) => record));

/** Returns the metrics that each alert or recorded series uses, without recorded series. */
export function ruleMetrics(): [rule: string, metrics: string[]][] {
  const recorded = recordedNames();
  return rules().map((rule) => [
    'alert' in rule ? rule.alert : rule.record,
    metricsIn(rule.expr).filter((name) => !recorded.has(name)),
  ]);
}
