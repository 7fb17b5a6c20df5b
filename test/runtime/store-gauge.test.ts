import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { lastingStoreGauge, storeGauge, storeGauges } from '../../src/runtime/store-gauge.ts';

describe('gauges that are read from a store', () => {
  const away = () => Promise.reject(new Error('away'));

  it('are NaN, or have no series, if the store fails or does not answer', async () => {
    const registry = new Registry();
    let read: () => Promise<number> = async () => 3;
    let readAll = async () => new Map([['a', 1]]);
    storeGauge({ registry, name: 'one', help: 'x', read: () => read() });
    storeGauges({ registry, name: 'many', help: 'x', label: 'by', read: () => readAll() });
    const text = await registry.metrics();
    assert.match(text, /^one 3\n/m);
    assert.match(text, /^many\{by="a"\} 1\n/m);
    readAll = async () => new Map([['b', 2]]);
    assert.doesNotMatch(await registry.metrics(), /by="a"/);
    [read, readAll] = [away, away];
    assert.match(await registry.metrics(), /^one Nan\n/m);
    assert.doesNotMatch(await registry.metrics(), /by=/);
    read = () => new Promise(() => {});
    assert.match(await registry.metrics(), /^one Nan\n/m);
  });

  it('may keep the last answer, and report whether it is current', async () => {
    const registry = new Registry();
    let read: () => Promise<number> = away;
    let asked = 0;
    lastingStoreGauge({
      registry,
      name: 'lag',
      help: 'x',
      up: { name: 'up', help: 'x' },
      read() {
        asked += 1;
        return read();
      },
    });
    const shown = async () => {
      const text = await registry.metrics();
      return [/^lag (\S+)$/m.exec(text)![1], /^up (\S+)$/m.exec(text)![1]];
    };
    assert.deepEqual(await shown(), ['0', '0']);
    read = async () => 7;
    assert.deepEqual(await shown(), ['7', '1']);
    read = () => new Promise(() => {});
    assert.deepEqual(await shown(), ['7', '0']);
    assert.equal(asked, 3, 'once for each scrape');
  });
});
