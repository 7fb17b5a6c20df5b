import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { ownAttempt } from '../../src/webhooks/delivery/attempt-queries.ts';
import { ResultBuffer } from '../../src/webhooks/dispatcher/result-buffer.ts';

describe('the buffer of attempt results', () => {
  let now = 0;
  beforeEach(() => {
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => mock.restoreAll());

  const attempt = (subscription_id: number) =>
    ownAttempt(
      { subscription_id, delivery_id: 'dlv_7_0_1', event_id: 'evt_0_1', event_type: 'webhook.ping', at: 0, body: '{}' },
      { status: 200, failure: null, cause: null, reply: null, durationMs: 1 },
    );

  it('is overdue after a second, but not if the lease of its only subscription was lost', () => {
    const buffer = new ResultBuffer();
    buffer.add(attempt(7), null);
    now += 999;
    assert.equal(buffer.isOverdue(), false);
    now += 1;
    assert.equal(buffer.isOverdue(), true, 'no attempt starts until the result is saved');
    buffer.discard(8);
    assert.equal(buffer.isOverdue(), true);
    buffer.discard(7);
    assert.equal(buffer.isOverdue(), false, 'attempts start again');
  });
});
