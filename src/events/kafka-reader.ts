/**
 * Reads the topic by cursor. The base in each record's header ties cursors to offsets; it is raised where offsets have begun anew or gone
 * back, so cursors ascend all along the log, and a base that was true a moment ago is only a guess that the record found there proves.
 */
import { CursorExpired, type LogRange, type LogRecord, type ReadLimit } from './event-log.ts';
import { type KafkaLink, type KafkaRecord, OffsetOutOfRange } from './kafka-client.ts';
import { baseOf, cursorOf, toEvent } from './kafka-record.ts';

/** A fetch asks for about this much, and gets whole batches. */
const FETCH_BYTES = 1024 * 1024;
/** Of one record's key, headers and framing. */
const RECORD_OVERHEAD_BYTES = 150;
/** A reader at the end looks this often whether the end it knows is still the log's. */
const PROVE_EVERY_MS = 1_000;

export interface KafkaReader {
  range(link: KafkaLink): Promise<LogRange>;
  read(link: KafkaLink, cursor: number, limit: ReadLimit): Promise<LogRecord[]>;
}

/** @param lastCursor the last one that the relay knows of, for a log that holds nothing */
export function kafkaReader(lastCursor: () => Promise<number>): KafkaReader {
  let known: { topicId: string; base: number; provenAt: number } | null = null;

  /** @throws {OffsetOutOfRange} when it was dropped in this moment */
  async function recordAt(link: KafkaLink, offset: number): Promise<KafkaRecord> {
    const [record] = (await link.fetch(offset, { bytes: 1 })).records;
    if (record === undefined) throw new OffsetOutOfRange();
    return record;
  }

  const learn = (link: KafkaLink, base: number) => {
    known = { topicId: link.topicId, base, provenAt: performance.now() };
  };

  async function ends(link: KafkaLink): Promise<LogRange & { start: number; end: number }> {
    const { start, end } = await link.bounds();
    if (start === end) {
      const last = await lastCursor();
      return { head: last, oldest: last, start, end };
    }
    const [first, last] = [await recordAt(link, start), await recordAt(link, end - 1)];
    learn(link, baseOf(last));
    return { head: cursorOf(last), oldest: cursorOf(first) - 1, start, end };
  }

  /** @returns the offset of the first record after `cursor`; the log's end where there is none */
  async function locate(link: KafkaLink, cursor: number): Promise<number> {
    const { oldest, start, end } = await ends(link);
    if (cursor < oldest) throw new CursorExpired(oldest);
    if (start === end) return end;
    let [low, high] = [start, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const record = await recordAt(link, middle);
      if (cursorOf(record) > cursor) high = middle;
      else low = middle + 1;
      if (low === high && low === record.offset) learn(link, baseOf(record));
    }
    return low;
  }

  /** Another one may end just where this one did. @throws when it was created anew: the link is of no more use */
  async function assertSameTopic(link: KafkaLink): Promise<void> {
    if ((await link.currentTopicId()) !== link.topicId) throw new Error('the Kafka topic was created anew');
  }

  async function firstPage(link: KafkaLink, cursor: number, bytes: number): Promise<KafkaRecord[]> {
    const fresh =
      known !== null && known.topicId === link.topicId && performance.now() - known.provenAt < PROVE_EVERY_MS;
    if (!fresh) await ends(link);
    if (known !== null && cursor >= known.base) {
      try {
        const { base } = known;
        const { records } = await link.fetch(cursor - base, { bytes });
        // A record of this base has a neighbour before it with a smaller cursor, so it is the first one after.
        if (records.length > 0 && baseOf(records[0]!) === base) return records;
        if (records.length === 0) {
          await assertSameTopic(link);
          return records;
        }
      } catch (error) {
        if (!(error instanceof OffsetOutOfRange)) throw error;
      }
    }
    const offset = await locate(link, cursor);
    const { records } = await link.fetch(offset, { bytes });
    if (records[0] !== undefined) learn(link, baseOf(records[0]));
    return records;
  }

  return {
    async range(link) {
      const { head, oldest } = await ends(link);
      return { head, oldest };
    },

    async read(link, cursor, limit) {
      const found: LogRecord[] = [];
      let bytes = 0;
      const fetchBytes = () =>
        Math.max(
          1,
          Math.min(FETCH_BYTES, limit.bytes - bytes + RECORD_OVERHEAD_BYTES * (limit.records - found.length)),
        );
      let page = await firstPage(link, cursor, fetchBytes());
      for (;;) {
        for (const record of page) {
          const event = toEvent(record);
          // What a former leader wrote late, with a base of before, repeats what the next one wrote.
          if (event.cursor <= (found.at(-1)?.cursor ?? cursor)) continue;
          bytes += Buffer.byteLength(event.envelope);
          if (found.length > 0 && bytes > limit.bytes) return found;
          found.push(event);
          if (found.length >= limit.records) return found;
        }
        const last = page.at(-1);
        if (last === undefined) return found;
        ({ records: page } = await link.fetch(last.offset + 1, { bytes: fetchBytes() }));
      }
    },
  };
}
