/** Tests the statuses of tenancy resources. */
import assert from 'node:assert/strict';
import { Fault, type Status } from '../../../operators/tenancy/kind.ts';
import { buildStatus, isSameStatus, type Observed } from '../../../operators/tenancy/status.ts';

const NOW = Date.UTC(2026, 2, 1, 12);

describe('a tenancy resource’s status', () => {
  const observed = (over: Partial<Observed> = {}): Observed => ({
    generation: 1,
    installation: 'sports/touchline',
    fault: null,
    isPaused: false,
    details: {},
    ...over,
  });

  /** Returns a status as the API server returns it. */
  const stored = (status: Status): Status =>
    JSON.parse(JSON.stringify(status), (_, value) =>
      value === null || typeof value !== 'object' || Array.isArray(value)
        ? value
        : Object.fromEntries(Object.entries(value).sort()),
    );

  it('is the same if the API server has sorted the members, so that it is not written again', () => {
    const first = buildStatus(observed({ details: { secret: 'a', account: 7 } as never }), undefined, NOW);
    const again = buildStatus(observed({ details: { secret: 'a', account: 7 } as never }), stored(first), NOW + 60_000);
    assert.notEqual(JSON.stringify(first), JSON.stringify(stored(first)));
    assert.ok(isSameStatus(again, stored(first)));
    assert.ok(!isSameStatus(buildStatus(observed({ generation: 2 }), stored(first), NOW), stored(first)));
    const faulty = buildStatus(observed({ fault: new Fault('NoAccount', 'There is none.') }), stored(first), NOW);
    assert.ok(!isSameStatus(faulty, stored(first)));
  });

  it('keeps what is known of the resource while there is a fault', () => {
    const first = buildStatus(observed({ details: { secret: 'a' } as never }), undefined, NOW);
    const fault = new Fault('AccountSuspended', 'It is suspended.');
    const next = buildStatus(observed({ fault, details: null }), stored(first), NOW + 1_000);
    assert.equal((next as { secret?: string }).secret, 'a');
    assert.deepEqual(
      next.conditions!.map(({ type, status, reason }) => [type, status, reason]),
      [
        ['Ready', 'False', 'AccountSuspended'],
        ['Stalled', 'True', 'AccountSuspended'],
      ],
    );
  });
});
