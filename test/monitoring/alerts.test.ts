import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { AGES } from '../../src/feed/metrics.ts';
import { DURATION_BUCKETS_SECONDS } from '../../src/http/request-log.ts';
import { AGE_BUCKETS_SECONDS } from '../../src/stream/metrics.ts';
import { FIRST_ATTEMPT_BUCKETS_SECONDS } from '../../src/webhooks/dispatcher/dispatcher-metrics.ts';
import { alerts, RULE_FILES, recordings } from '../support/alerts.ts';

const CASES = ['alerts', 'objectives'].map((name) => new URL(`./${name}.promtool.yaml`, import.meta.url).pathname);
const RUNBOOKS = 'https://github.com/touchline/touchline/blob/main/docs/monitoring.md';
const DOCUMENT = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8', timeout: 120_000 });
const canRunPromtool = promtool('--version').status === 0;

describe('Prometheus alerts', function () {
  this.timeout(300_000);

  it('have a severity, a duration and an action, and are explained and tested', () => {
    const cases = CASES.map((file) => readFileSync(file, 'utf8')).join('');
    for (const { alert, for: time, labels, annotations } of alerts()) {
      assert.match(time, /^\d+m$/, alert);
      assert.ok(['critical', 'warning'].includes(labels.severity!), alert);
      assert.ok(annotations.summary!.length > 20 && annotations.description!.length > 50, alert);
      // The anchor leads to the heading below.
      assert.equal(annotations.runbook_url, `${RUNBOOKS}#${alert.toLowerCase()}`);
      const severity = labels.severity === 'critical' ? 'Critical' : 'Warning';
      const heading = `### ${alert}\n\n${severity}, ${time.replace('m', ' min')}. `;
      assert.ok(DOCUMENT.includes(heading), `docs/monitoring.md lacks: ${heading}`);
      assert.match(cases, new RegExp(`"${alert}"`), `${alert} has no case in which it fires`);
    }
    const names = alerts().map(({ alert }) => alert);
    assert.equal(new Set(names).size, names.length);
    const headings = [...DOCUMENT.matchAll(/^### (Touchline\w+)$/gm)].map(([, name]) => name);
    assert.deepEqual(headings, names);
  });

  it('are rules that Prometheus accepts, and fire under their conditions', function () {
    if (!canRunPromtool) {
      console.log('      SKIPPED: no promtool (Debian has it in the package prometheus): the alerts are not tested');
      this.skip();
    }
    for (const args of [
      ['check', 'rules', ...RULE_FILES.map(({ pathname }) => pathname)],
      ...CASES.map((file) => ['test', 'rules', file]),
    ]) {
      const { status, stdout, stderr } = promtool(...args);
      assert.equal(status, 0, `${stdout}${stderr}`);
    }
  });

  it('have objective limits that are bucket boundaries, and the chart accepts only these', () => {
    const chart = new URL('../../charts/touchline/values.schema.json', import.meta.url);
    const { properties } = JSON.parse(readFileSync(chart, 'utf8'));
    const { properties: objectives } = properties.prometheusRule.properties.objectives;
    const buckets: Record<string, readonly number[]> = {
      'api-latency': DURATION_BUCKETS_SECONDS,
      'stream-latency': AGE_BUCKETS_SECONDS,
      'webhook-latency': FIRST_ATTEMPT_BUCKETS_SECONDS,
      'live-freshness': AGES,
    };
    const usual: Record<string, number> = {
      'api-latency': 0.25,
      'stream-latency': 1,
      'webhook-latency': 8,
      'live-freshness': 60,
    };
    for (const [objective, bounds] of Object.entries(buckets)) {
      const name = objective.replace(/-(.)/, (_, letter) => letter.toUpperCase());
      assert.deepEqual(objectives[name].properties.seconds.enum, bounds, objective);
      assert.ok(bounds.includes(usual[objective]!), objective);
      const own = recordings().filter(({ labels }) => labels?.objective === objective);
      const seconds = own.find(({ record }) => record === 'touchline:objective:seconds')!;
      assert.equal(seconds.expr, `vector(${usual[objective]})`);
      const bad = own.find(({ record }) => record === 'touchline:objective_bad:rate5m')!;
      assert.ok(bad.expr.includes(`le="${usual[objective]}"`), objective);
    }
  });
});
