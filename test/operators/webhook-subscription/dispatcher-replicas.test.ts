import assert from 'node:assert/strict';
import { sharedReplicas } from '../../../operators/webhook-subscription/dispatcher-replicas.ts';

describe('the shared dispatcher count', () => {
  const sizes: [subscriptions: number, load: number, min: number, max: number, each: number, replicas: number][] = [
    [0, 0, 1, 10, 100, 1],
    [1, 0, 1, 10, 100, 1],
    [100, 0, 1, 10, 100, 1],
    [101, 0, 1, 10, 100, 2],
    [950, 0, 1, 10, 100, 10],
    [100_000, 0, 1, 10, 100, 10],
    [0, 0, 3, 10, 100, 3],
    [0, 0, 0, 0, 100, 1],
    [1, 0.65, 1, 10, 100, 1],
    [1, 0.7, 1, 10, 100, 2],
    [1, 2, 1, 10, 100, 4],
    [1, 10, 1, 10, 100, 10],
    [950, 2, 1, 20, 100, 10],
  ];
  for (const [subscriptions, load, min, max, each, replicas] of sizes) {
    it(`is ${replicas} for ${subscriptions} subscriptions and a load of ${load}, within ${min} and ${max}`, () => {
      assert.equal(sharedReplicas({ subscriptions, load }, { min, max, each }), replicas);
    });
  }
});
