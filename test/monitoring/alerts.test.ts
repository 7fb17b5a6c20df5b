import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ALERTS_FILE, alerts } from '../support/alerts.ts';

const CASES = new URL('alerts.promtool.yaml', import.meta.url).pathname;
const DOCUMENT = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8', timeout: 20_000 });
const canRunPromtool = promtool('--version').status === 0;

describe('alerts for Prometheus', function () {
  this.timeout(30_000);

  it('have a severity, a duration and an action, and are explained and tested', () => {
    const cases = readFileSync(CASES, 'utf8');
    for (const { alert, for: time, labels, annotations } of alerts()) {
      assert.match(time, /^\d+m$/, alert);
      assert.ok(['critical', 'warning'].includes(labels.severity!), alert);
      assert.ok(annotations.summary!.length > 20 && annotations.description!.length > 50, alert);
      assert.equal(annotations.runbook, `docs/monitoring.md#${alert.toLowerCase()}`);
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

  it('are rules that Prometheus reads, and fire under their conditions', function () {
    if (!canRunPromtool) {
      console.log('      SKIPPED: no promtool (Debian has it in the package prometheus): the alerts are not tested');
      this.skip();
    }
    for (const args of [
      ['check', 'rules', ALERTS_FILE.pathname],
      ['test', 'rules', CASES],
    ]) {
      const { status, stdout, stderr } = promtool(...args);
      assert.equal(status, 0, `${stdout}${stderr}`);
    }
  });
});
