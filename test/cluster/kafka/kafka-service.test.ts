/** Tests the whole service, started as by `make run KAFKA_BROKERS=…`. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openKafkaConnection } from '../../../src/events/kafka-connection.ts';
import { cursorOf } from '../../../src/events/kafka-record.ts';
import { sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { run, start, temporaryFolder } from '../../support/process.ts';
import { parseSse, type SseFrame } from '../../support/sse.ts';

after(stopSharedKafka);

describe('touchline serve on Kafka', function () {
  this.timeout(90_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** Reads a stream until `count` events have arrived. */
  async function stream(printed: string, count: number, from?: number): Promise<SseFrame[]> {
    const url = /ready after [\d.]+ s: (http:\S+)/.exec(printed)![1]!;
    const key = /Demo key: (\S+)/.exec(printed)![1]!;
    const abort = new AbortController();
    const reply = await fetch(`${url}/v1/stream`, {
      headers: { 'X-API-Key': key, ...(from !== undefined && { 'Last-Event-ID': String(from) }) },
      signal: abort.signal,
    });
    let text = '';
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const frames = parseSse(text).filter(({ event }) => event !== undefined);
      if (frames.length < count) continue;
      abort.abort();
      return frames;
    }
    throw new Error('the stream ended');
  }

  it('streams from the topic, and resumes from a cursor after a restart', async () => {
    const given = process.env.KAFKA_BROKERS;
    const kafka = given === undefined ? (await sharedKafka()).secured!.env : { KAFKA_BROKERS: given };
    const topic = `touchline.service.${process.pid}`;
    const common = { KAFKA_TOPIC: topic, DEMO: '1', ...kafka, LOG_LEVEL: 'error' };
    const env = { ...common, DATA_DIR: join(folder.path, 'data') };
    const begun = async () => {
      const service = start(['serve'], { env });
      await service.until(/The stream:.*\n/);
      return service;
    };
    const first = await begun();
    const [event] = await stream(first.output(), 1);
    const stopped = await first.interrupt();
    assert.deepEqual([stopped.code, stopped.err], [0, '']);

    const second = await begun();
    const [again] = await stream(second.output(), 1, Number(event!.id) - 1);
    assert.deepEqual([again!.id, again!.data], [event!.id, event!.data]);
    assert.equal((await second.interrupt()).code, 0);

    const brokers = (given ?? (await sharedKafka()).broker).split(',');
    const link = await openKafkaConnection({ brokers, topic, debug: () => {} });
    const { start: oldest } = await link.bounds();
    const { records } = await link.fetch(oldest, { bytes: 1e6 });
    link.close();
    const record = records.find((one) => cursorOf(one) === Number(event!.id));
    assert.equal(record!.value, event!.data);

    const other = await run(['serve'], { env: { ...common, DATA_DIR: join(folder.path, 'other') } });
    assert.equal(other.code, 1);
    assert.match(
      other.err,
      /^touchline: the Kafka topic \S+ holds events of another installation \(\S+\): set KAFKA_TOPIC to a topic that no other installation uses\n$/,
    );
  });
});
