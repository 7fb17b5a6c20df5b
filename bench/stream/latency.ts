/**
 * Measures the time from when an event is committed, as in ingest, until a stream receives it, with either log. The stream and the relay
 * are separate processes. The system is otherwise idle, so no queue adds to the time.
 */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { canRunKafka, startKafka } from '../../test/support/kafka.ts';
import { line, verdict } from '../report.ts';
import { envelopeOf } from './event.ts';
import { openStage, TOURNAMENT } from './stage.ts';

const EVENTS = 400;
/** Number of events before the measurement, while new processes and the broker are still compiling code. */
const WARM_UP = 2_000;
const WARM_UP_EVERY_MS = 4;
/** Time between two events. It is longer than the pause between two flushes, and not a multiple of any period. */
const EVERY_MS = 57;
const EVENT_BYTES = 850;
/** Goal for the median. */
const GOAL_MS = 3.5;

const percentile = (sorted: readonly number[], part: number) => sorted[Math.floor(sorted.length * part)]!;
const figures = (times: number[]) => {
  times.sort((a, b) => a - b);
  return `p50 ${percentile(times, 0.5).toFixed(2)} p95 ${percentile(times, 0.95).toFixed(2)} ms`;
};

async function measure(log: string, env: Record<string, string>): Promise<void> {
  const stage = await openStage(env);
  try {
    const [service, [key]] = [await stage.startStream(), await stage.keys(1)];
    const committed: number[] = [];
    const received: number[] = [];
    const url = `http://127.0.0.1:${await service.call('port')}/v1/stream`;
    get(url, { headers: { 'X-API-Key': key! } }, (response) =>
      response.setEncoding('utf8').on('data', (text: string) => {
        const now = performance.now();
        for (const [, sequence] of text.matchAll(/"id":"evt_1_(\d+)"/g)) received[Number(sequence)] = now;
      }),
    );
    while ((await service.call('connections')) < 1) await sleep(20);
    const commits: number[] = [];
    for (let sequence = 0; sequence < WARM_UP + EVENTS; sequence += 1) {
      const begun = performance.now();
      const envelope = envelopeOf(1, sequence, TOURNAMENT, EVENT_BYTES);
      await stage.publish([{ match: 1, tournament: TOURNAMENT, envelope }]);
      committed[sequence] = performance.now();
      commits.push(committed[sequence]! - begun);
      await sleep(sequence < WARM_UP ? WARM_UP_EVERY_MS : EVERY_MS);
    }
    const times = committed.map((time, sequence) => (received[sequence] ?? Number.POSITIVE_INFINITY) - time);
    const counted = times.slice(WARM_UP);
    line(
      `latency ${log}`,
      `commit to receipt ${figures(counted)}`,
      `goal p50 ${GOAL_MS} ms ${verdict(percentile(counted, 0.5) <= GOAL_MS)}`,
      `the commit itself ${figures(commits.slice(WARM_UP))}`,
    );
  } finally {
    await stage.close();
  }
}

export async function latency(): Promise<void> {
  await measure('postgres', {});
  if (!canRunKafka()) {
    console.log('KAFKA CANNOT BE RUN HERE (Java and Maven): its figures are skipped');
    return;
  }
  const kafka = await startKafka();
  try {
    await measure('kafka', { KAFKA_BROKERS: kafka.broker });
  } finally {
    await kafka.stop();
  }
}
