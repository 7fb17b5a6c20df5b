import assert from 'node:assert/strict';
import {
  afterAttempt,
  afterNotice,
  dueNotice,
  type Health,
} from '../../src/webhooks/subscriptions/subscription-health.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

describe('a subscription’s health', () => {
  const fresh: Health = {
    last_sent_at: NOW,
    last_success_at: null,
    last_failure_at: null,
    last_failure: null,
    failing_since: null,
    failures: 0,
    disabled_reason: null,
  };
  const failed = { status: 500, failure: 'status 500' };
  const delivered = { status: 200, failure: null };
  const after = (health: Health, ...steps: [outcome: typeof failed | typeof delivered, now: number][]) =>
    steps.reduce((state, [outcome, now]) => afterAttempt(state, outcome, now), health);

  it('counts consecutive failures from the first failure after the last success', () => {
    const failing = after(
      fresh,
      [failed, NOW],
      [failed, NOW + 1],
      [failed, NOW + 2],
      [failed, NOW + 3],
      [failed, NOW + 4],
    );
    assert.deepEqual(
      [failing.failures, failing.failing_since, failing.last_failure, failing.disabled_reason],
      [5, NOW, 'status 500', null],
    );
    const well = after(failing, [delivered, NOW + 5]);
    assert.deepEqual(
      [well.failures, well.failing_since, well.last_success_at, well.last_failure_at],
      [0, null, NOW + 5, NOW + 4],
    );
  });

  it('disables a subscription after 72 h without a success, not earlier', () => {
    const first = after(fresh, [failed, NOW]);
    assert.equal(after(first, [failed, NOW + 72 * HOUR - 1]).disabled_reason, null);
    assert.equal(after(first, [failed, NOW + 72 * HOUR]).disabled_reason, 'no_success');
    assert.equal(after(first, [delivered, NOW + 71 * HOUR], [failed, NOW + 72 * HOUR]).disabled_reason, null);
  });

  it('disables a subscription after a 410 reply, whatever replies come at the same time', () => {
    const gone = after(fresh, [{ status: 410, failure: 'status 410' }, NOW]);
    assert.equal(gone.disabled_reason, 'gone');
    assert.equal(after(gone, [failed, NOW + 1], [delivered, NOW + 2]).disabled_reason, 'gone');
  });

  it('is news after five minutes of failures, when it is disabled, and when it succeeds after such news', () => {
    const untold = { notified: null, notified_at: null };
    const failing = { ...fresh, failing_since: NOW, failures: 5 };
    const minute = 60_000;
    const due = (
      health: Health,
      told: Parameters<typeof dueNotice>[2],
      now: number,
      outcome = failed as { failure: string | null },
    ) => dueNotice(health, outcome, told, now);
    assert.equal(due(failing, untold, NOW + 5 * minute - 1), null);
    assert.equal(due(failing, untold, NOW + 5 * minute), 'webhook.failing');
    assert.equal(due({ ...failing, failures: 4 }, untold, NOW + 5 * minute), null);
    assert.equal(due(failing, afterNotice('webhook.failing', NOW), NOW + 2 * HOUR), null);
    assert.equal(due(failing, afterNotice('webhook.recovered', NOW), NOW + HOUR - 1), null);
    assert.equal(due(failing, afterNotice('webhook.recovered', NOW), NOW + HOUR), 'webhook.failing');
    assert.equal(
      due(failing, afterNotice('webhook.disabled', NOW), NOW + HOUR),
      'webhook.failing',
      'it was enabled since',
    );
    assert.equal(
      due(failing, afterNotice('webhook.recovered', NOW + 9 * HOUR), NOW + HOUR),
      'webhook.failing',
      'the clock was set back',
    );
    for (const told of [untold, afterNotice('webhook.failing', NOW), afterNotice('webhook.disabled', NOW)])
      assert.equal(due({ ...failing, disabled_reason: 'gone' }, told, NOW), 'webhook.disabled');
    assert.equal(due(fresh, untold, NOW, delivered), null);
    for (const type of ['webhook.failing', 'webhook.disabled'] as const)
      assert.equal(due(fresh, afterNotice(type, NOW), NOW, delivered), 'webhook.recovered');
  });
});
