import assert from 'node:assert/strict';
import { recordedNames, ruleMetrics } from '../support/alerts.ts';
import { dashboardMetrics } from '../support/dashboard.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Metric, metricsOfRoles, monitoringDocument } from '../support/metrics.ts';

/** Metrics that an operator does not look at every day. */
const NOT_ON_THE_DASHBOARD = [
  'touchline_operator_api_request_seconds',
  'touchline_operator_queue_keys',
  'touchline_operator_reconcile_failures_total',
  'touchline_operator_reconcile_seconds',
  'touchline_operator_subscriptions',
  'touchline_operator_watch_restarts',
  'touchline_webhook_older_key_subscriptions',
];

describe('metrics from processes in all roles', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let metrics: Map<string, Metric>;
  let samples: Set<string>;

  before(async () => {
    db = await createTestDatabase();
    metrics = await metricsOfRoles(db.url);
    samples = new Set([...metrics.values()].flatMap((metric) => metric.samples));
  });
  after(() => db.drop());

  it('cover every metric on the dashboard, which shows all metrics that the service itself defines', () => {
    const shown = [...dashboardMetrics()].flatMap(([panel, names]) => names.map((name) => ({ panel, name })));
    assert.ok(shown.length > 10);
    const recorded = recordedNames();
    for (const { panel, name } of shown)
      assert.ok(samples.has(name) || recorded.has(name), `${panel} shows ${name}, which nothing measures`);
    const names = new Set(shown.map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
    const unseen = [...metrics.keys()].filter((name) => name.startsWith('touchline_') && !names.has(name));
    assert.deepEqual(unseen, NOT_ON_THE_DASHBOARD);
  });

  it('cover every metric in the alerts and the objectives', () => {
    const named = ruleMetrics().flatMap(([rule, names]) => names.map((name) => ({ rule, name })));
    assert.ok(named.length > 25);
    for (const { rule, name } of named) assert.ok(samples.has(name), `${rule} names ${name}, which nothing measures`);
  });

  it('follow Prometheus’s naming rules', () => {
    const own = [...metrics.values()].filter(({ name }) => name.startsWith('touchline_'));
    for (const { name, type, help } of own) {
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.match(name, /^touchline(_[a-z0-9]+)+$/);
      assert.ok(help.length > 10, name);
    }
  });

  it('are listed in docs/monitoring.md', () => {
    const { now, wanted } = monitoringDocument(metrics);
    assert.equal(now, wanted, 'run `make generated`');
  });
});
