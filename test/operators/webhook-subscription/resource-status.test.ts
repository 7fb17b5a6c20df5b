import assert from 'node:assert/strict';
import type { Status } from '../../../operators/webhook-subscription/crd.ts';
import { KIND } from '../../../operators/webhook-subscription/crd.ts';
import {
  buildStatus,
  changed,
  lastTransition,
  type Observed,
  writeIn,
} from '../../../operators/webhook-subscription/resource-status.ts';
import type { Subscription } from '../../../src/webhooks/subscriptions/subscription-queries.ts';
import { BUILT_IN_PLANS } from '../../support/accounts.ts';
import { argoCdHealth } from '../../support/argocd-health.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const row = (over: Partial<Subscription> = {}) =>
  ({
    id: 7,
    plan: 'pro',
    suspendedAt: null,
    paused: false,
    failures: 0,
    endedAt: null,
    disabledAt: null,
    disabledReason: null,
    lastSuccessAt: null,
    lastFailure: null,
    unconfirmedSince: null,
    fault: null,
    faultAt: null,
    gap: null,
    ...over,
  }) as Subscription;
const observed = (over: Partial<Observed> = {}): Observed => ({
  generation: 1,
  fault: null,
  row: row(),
  plans: BUILT_IN_PLANS,
  dispatcherAlive: true,
  dispatcher: 'touchline-dispatcher',
  secret: 'goals-webhook',
  paused: false,
  installation: 'sports/touchline',
  ...over,
});
const conditions = (status: Status) =>
  Object.fromEntries(status.conditions!.map(({ type, status: value, reason }) => [type, `${value} ${reason}`]));

describe('a subscription resource’s status', () => {
  const fault = { reason: 'UnknownAccount', message: 'account: there is none' };
  const now = new Date(START);
  const gap = { at: '2026-03-01T11:00:00Z', from: 3, to: 9 };
  const cases: [string, Partial<Observed>, Record<string, string>][] = [
    [
      'that is new',
      {},
      { Accepted: 'True Accepted', Ready: 'True DispatcherAlive', Delivering: 'Unknown NothingSent' },
    ],
    ['without a dispatcher', { dispatcherAlive: false }, { Ready: 'False NoDispatcher' }],
    [
      'that cannot be applied',
      { fault, row: null },
      { Accepted: 'False UnknownAccount', Ready: 'False NotAccepted', Delivering: 'False NotAccepted' },
    ],
    [
      'whose new spec cannot be applied',
      { fault, row: row({ lastSuccessAt: now }) },
      { Accepted: 'False UnknownAccount', Ready: 'True DispatcherAlive', Delivering: 'True Delivered' },
    ],
    ['that delivers', { row: row({ lastSuccessAt: now }) }, { Delivering: 'True Delivered' }],
    [
      'with a failure after a success',
      { row: row({ lastSuccessAt: now, failures: 4 }) },
      { Delivering: 'True Delivered' },
    ],
    ['that has missed events', { row: row({ lastSuccessAt: now, gap }) }, { Delivering: 'True EventsExpired' }],
    ['that has missed events and fails', { row: row({ failures: 5, gap }) }, { Delivering: 'False Failing' }],
    ['with a first failure', { row: row({ failures: 1 }) }, { Delivering: 'False NoSuccess' }],
    [
      'that cannot be read',
      { row: row({ lastSuccessAt: now, fault: 'url cannot be parsed', faultAt: now }) },
      { Delivering: 'False Unreadable' },
    ],
    ['that fails', { row: row({ lastSuccessAt: now, failures: 5 }) }, { Delivering: 'False Failing' }],
    ['whose receiver has not agreed', { row: row({ unconfirmedSince: now }) }, { Delivering: 'False Unconfirmed' }],
    ['that is paused', { row: row({ paused: true }) }, { Delivering: 'False Paused' }],
    ['of a suspended account', { row: row({ suspendedAt: now }) }, { Delivering: 'False Suspended' }],
    ['whose receiver is gone', { row: row({ disabledAt: now, disabledReason: 'gone' }) }, { Delivering: 'False Gone' }],
    [
      'that is disabled',
      { row: row({ disabledAt: now, disabledReason: 'no_success' }) },
      { Delivering: 'False Disabled' },
    ],
    ['whose plan is too small', { row: row({ plan: 'free' }) }, { Delivering: 'False Suspended' }],
  ];
  for (const [what, over, expected] of cases) {
    it(`has conditions that describe a resource ${what}`, () => {
      const current = conditions(buildStatus(observed(over), undefined, START));
      for (const [type, value] of Object.entries(expected)) assert.equal(current[type], value);
    });
  }

  const ofArgoCd: Record<string, string> = {
    'that is new': 'Healthy',
    'without a dispatcher': 'Progressing',
    'that cannot be applied': 'Degraded',
    'whose new spec cannot be applied': 'Degraded',
    'that delivers': 'Healthy',
    'with a failure after a success': 'Healthy',
    'that has missed events': 'Healthy',
    'that has missed events and fails': 'Degraded',
    'with a first failure': 'Degraded',
    'that cannot be read': 'Degraded',
    'that fails': 'Degraded',
    'whose receiver has not agreed': 'Progressing',
    'that is paused': 'Suspended',
    'of a suspended account': 'Degraded',
    'whose receiver is gone': 'Degraded',
    'that is disabled': 'Degraded',
    'whose plan is too small': 'Degraded',
  };
  const inArgoCd = (status?: Partial<Status>, generation = 1) =>
    argoCdHealth({ kind: KIND, metadata: { generation }, status }).status;

  it('has a health in Argo CD for each state', () => {
    const found = cases.map(([what, over]) => [what, inArgoCd(buildStatus(observed(over), undefined, START))]);
    assert.deepEqual(Object.fromEntries(found), ofArgoCd);
  });

  /** The state of a resource for Flux, by the rules of kstatus. */
  function inFlux({ observedGeneration, conditions: list = [] }: Status): string {
    const of = (wanted: string) => list.find(({ type }) => type === wanted)?.status;
    if (observedGeneration !== 1) return 'InProgress';
    if (of('Stalled') === 'True') return 'Failed';
    return of('Ready') === 'True' ? 'Current' : 'InProgress';
  }

  it('has failed for Flux in each state that is degraded in Argo CD, and in no other', () => {
    for (const [what, over] of cases) {
      const state = inFlux(buildStatus(observed(over), undefined, START));
      assert.equal(state === 'Failed', ofArgoCd[what] === 'Degraded', `${what}: ${state}`);
      if (ofArgoCd[what] === 'Healthy') assert.equal(state, 'Current', what);
    }
  });

  it('is written within seconds if a condition becomes false, and at once if a spec is refused', () => {
    const first = buildStatus(observed({ row: row({ lastSuccessAt: now }) }), undefined, START);
    const failing = buildStatus(observed({ row: row({ lastSuccessAt: now, failures: 9 }) }), first, START + 1_000);
    assert.equal(writeIn(failing, first, START, START + 1_000), 4_000 - 1_000);
    const repaired = buildStatus(observed({ row: row({ lastSuccessAt: now }) }), failing, START + 6_000);
    assert.equal(writeIn(repaired, failing, START + 5_000, START + 6_000), 30_000 - 1_000);
    const refused = buildStatus(observed({ fault }), first, START + 1_000);
    assert.equal(writeIn(refused, first, START, START + 1_000), 0);
  });

  it('is not healthy in Argo CD before the operator has read the spec, or without a condition', () => {
    const status = buildStatus(observed({ row: row({ lastSuccessAt: now }) }), undefined, START);
    assert.equal(inArgoCd(status), 'Healthy');
    assert.equal(inArgoCd(status, 2), 'Progressing');
    assert.equal(inArgoCd(undefined), 'Progressing');
    assert.equal(inArgoCd({}), 'Progressing');
    for (const { type } of status.conditions!.filter((one) => one.type !== 'Stalled')) {
      const conditions = status.conditions!.filter((one) => one.type !== type);
      assert.equal(inArgoCd({ ...status, conditions }), 'Degraded', type);
    }
    assert.equal(inArgoCd({ ...status, conditions: [] }), 'Degraded');
  });

  it('is degraded in Argo CD while a subscription that fails also has no dispatcher', () => {
    const failing = observed({ row: row({ failures: 5 }), dispatcherAlive: false });
    assert.equal(inArgoCd(buildStatus(failing, undefined, START)), 'Degraded');
  });

  it('is suspended in Argo CD while reconciliation is paused, and explains a fault', () => {
    const paused = { reason: 'ReconciliationPaused', message: 'Paused by an annotation of the resource.' };
    assert.equal(inArgoCd(buildStatus(observed({ fault: paused, paused: true }), undefined, START)), 'Suspended');
    const status = buildStatus(observed({ fault, row: null }), undefined, START);
    assert.deepEqual(argoCdHealth({ kind: KIND, metadata: { generation: 1 }, status }), {
      status: 'Degraded',
      message: 'account: there is none',
    });
  });

  it('keeps the transition time until the condition’s status changes', () => {
    const first = buildStatus(observed(), undefined, START);
    const second = buildStatus(observed({ row: row({ lastSuccessAt: now }) }), first, START + 60_000);
    const times = (status: Status) => status.conditions!.map(({ lastTransitionTime }) => lastTransitionTime);
    const [noon, later] = ['2026-03-01T12:00:00Z', '2026-03-01T12:01:00Z'];
    assert.deepEqual(times(first), [noon, noon, noon, noon]);
    assert.deepEqual(times(second), [noon, noon, later, noon]);
    // A different reason with the same status does not count as a transition.
    const third = buildStatus(observed({ row: row({ lastSuccessAt: now, paused: true }) }), second, START + 90_000);
    const fourth = buildStatus(observed({ row: row({ lastSuccessAt: now, failures: 9 }) }), third, START + 120_000);
    assert.equal(times(fourth)[2], times(third)[2]);
    assert.deepEqual(
      changed(fourth, third).map(({ type, reason }) => `${type} ${reason}`),
      ['Delivering Failing', 'Stalled Failing'],
    );
    assert.equal(lastTransition(fourth), START + 120_000);
  });

  it('is written at once if the status itself or the spec is new, and otherwise at most every 30 s', () => {
    const first = buildStatus(observed(), undefined, START);
    assert.equal(writeIn(first, undefined, 0, START), 0);
    assert.equal(writeIn(first, first, START, START + 1_000), null);
    const second = buildStatus(observed({ row: row({ lastSuccessAt: now }) }), first, START + 1_000);
    assert.equal(writeIn(second, first, START, START + 1_000), 30_000 - 1_000);
    assert.equal(writeIn(second, first, START, START + 30_000), 0);
    const edited = buildStatus(observed({ generation: 2 }), first, START + 1_000);
    assert.equal(writeIn(edited, first, START, START + 1_000), 0);
    // The wall clock was set back by a day.
    assert.equal(writeIn(second, first, START, START - 86_400_000), 30_000);
  });

  it('is not written if only a message is new', () => {
    const failing = (lastFailure: string) =>
      buildStatus(observed({ row: row({ failures: 9, lastFailure }) }), undefined, START);
    const [before, after] = [failing('status 500'), failing('timed out')];
    assert.notDeepEqual(before, after);
    assert.equal(writeIn(after, before, 0, START), null);
  });

  it('is written for a new gap', () => {
    const missed = (to: number) =>
      buildStatus(observed({ row: row({ lastSuccessAt: now, gap: { ...gap, to } }) }), undefined, START);
    const [before, after] = [missed(9), missed(10)];
    assert.equal(writeIn(before, before, 0, START), null);
    assert.equal(writeIn(after, before, 0, START), 0);
    assert.deepEqual(
      changed(after, before).map(({ message }) => message),
      [
        'Deliveries succeed, but events after cursor 3 up to 10 were no longer in the event log on 2026-03-01T11:00:00Z and will not be sent.',
      ],
    );
  });

  it('has messages that are no longer than the schema allows', () => {
    const long = buildStatus(
      observed({ fault: { reason: 'InvalidUrl', message: 'x'.repeat(5_000) } }),
      undefined,
      START,
    );
    assert.ok(long.conditions!.every(({ message }) => message.length <= 1_024));
  });
});
