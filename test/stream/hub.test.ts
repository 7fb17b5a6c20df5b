import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { EVERYTHING, type EventFilter } from '../../src/events/filter.ts';
import type { LiveConnection } from '../../src/stream/connection-owner.ts';
import { type Hub, type HubDeps, startHub } from '../../src/stream/hub.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { record } from '../support/events.ts';
import { timersChecked } from '../support/hub-tick.ts';
import { type MemoryLog, memoryLog } from '../support/memory-log.ts';
import { Reader } from '../support/reader.ts';
import { lastId, parseSse } from '../support/sse.ts';
import { until } from '../support/until.ts';

const range = (from: number, to: number, over = {}, bytes = 60) =>
  Array.from({ length: to - from }, (_, index) => record(from + 1 + index, over, bytes));
const upTo = (from: number, to: number) => range(from, to).map(({ cursor }) => cursor);
const links = { sync: 'http://t/v1/sync', replay: (from: number) => `http://t/v1/stream/replay?since=${from}` };

describe('the hub', () => {
  let log: MemoryLog;
  let hub: Hub;
  let now = 0;
  let logged: string[] = [];
  const collect = (first: unknown, text?: string) => void logged.push(text ?? String(first));
  const logger = { error: collect, warn: collect, info: collect };

  beforeEach(() => {
    log = memoryLog();
    now = Date.parse('2026-03-01T12:00:00Z');
    logged = [];
  });
  afterEach(async () => {
    await hub.close();
    assert.equal(log.listeners(), 0);
    assert.equal(hub.connections(), 0);
  });

  async function open(options: Partial<HubDeps> = {}): Promise<void> {
    hub = await startHub({ log, clock: { now: () => now }, logger, ...options });
  }
  async function join(
    cursor: number | null = null,
    filter: EventFilter = EVERYTHING,
    reader = new Reader(),
  ): Promise<Reader> {
    await hub.connect({ socket: reader, encoder: sseEncoder, filter, cursor, links });
    return reader;
  }
  const checked = () => timersChecked(hub, { now: () => now });
  const football: EventFilter = { sports: ['football'], leagues: [], types: [] };
  const league9: EventFilter = { sports: [], leagues: [9], types: [] };

  describe('delivery', () => {
    it('sends each event to the connections whose filter it passes', async () => {
      await open();
      const readers = {
        all: await join(),
        football: await join(null, football),
        again: await join(null, football),
        league: await join(null, league9),
      };
      log.append(
        record(1),
        record(2, { sport: 'tennis', tournamentId: 9 }),
        record(3, { tournamentId: 9 }),
        record(4, { sport: 'tennis' }),
      );
      await until('all have all', () => readers.all.cursors().length === 4);
      assert.deepEqual(readers.football.cursors(), [1, 3]);
      assert.deepEqual(readers.again.text, readers.football.text);
      assert.deepEqual(readers.league.cursors(), [2, 3]);
    });

    it('sends the exact envelope bytes', async () => {
      await open();
      const reader = await join();
      const envelope = '{"id":"evt_1_1","type":"match.goal","data":{"n":9007199254740993,"t":"Зенит \\u0041 😀"}}';
      log.append({ ...record(7), envelope });
      await until('it is there', () => reader.cursors().length === 1);
      assert.equal(
        reader.text,
        `: connected cursor=0\nretry: 1000\nid: 0\n\nid: 7\nevent: match.goal\ndata: ${envelope}\n\n`,
      );
    });

    it('sends a burst in few writes, with the first event at once', async () => {
      await open();
      const reader = await join();
      const begun = performance.now();
      log.append(record(1));
      await until('the first', () => reader.cursors().length === 1);
      const first = performance.now() - begun;
      for (let cursor = 2; cursor <= 200; cursor += 1) {
        log.append(record(cursor));
        if (cursor % 20 === 0) await turn();
      }
      await until('all', () => reader.cursors().length === 200);
      // One write for `connected`, one for the first event, and one for each 20 ms.
      assert.ok(reader.writes <= 10, `${reader.writes} writes`);
      assert.ok(first < 200, `${first} ms`);
    });

    it('writes to thousands of sockets without blocking the event loop', async () => {
      await open();
      const readers = await Promise.all(Array.from({ length: 2_500 }, () => join()));
      let turns = 0;
      const turnsAt: number[] = [];
      const count = () => {
        turns += 1;
        if (turnsAt.length < readers.length) setImmediate(count);
      };
      for (const reader of readers) {
        reader.onWrite = () => {
          if (turnsAt.length === 0) setImmediate(count);
          turnsAt.push(turns);
        };
      }
      log.append(record(1));
      await until('all have it', () => turnsAt.length === 2_500);
      assert.equal(turnsAt[999], turnsAt[0]);
      assert.ok(turnsAt[1_000]! > turnsAt[999]!);
      assert.ok(turnsAt[2_000]! > turnsAt[1_999]!);
    });

    it('sends a reconnecting client the missed events from memory without reading the log', async () => {
      log.append(...range(0, 50));
      await open();
      log.fail(true);
      assert.deepEqual((await join(20)).cursors(), upTo(20, 50));
      assert.equal((await join()).text, ': connected cursor=50\nretry: 1000\nid: 50\n\n');
      await assert.rejects(join(51), /away/);
    });
  });

  describe('a cursor ahead of this process', () => {
    it('a client whose cursor is ahead of this process but within the log waits at that cursor', async () => {
      log.append(...range(0, 10));
      await open();
      log.appendUnseen(...range(10, 20));
      const reader = await join(15);
      const football15 = await join(15, football);
      now += 15_000;
      await until('a keep-alive', () => reader.text.includes('keep-alive'));
      assert.equal(lastId(reader.frames()), 15);
      log.show();
      log.append(record(21));
      await until('it continues', () => reader.cursors().includes(21));
      assert.deepEqual(reader.cursors(), upTo(15, 21));
      assert.deepEqual(football15.cursors(), upTo(15, 21));
    });

    it('a client whose cursor is beyond the log gets a gap event and starts at the log’s end', async () => {
      log.append(...range(0, 10));
      await open();
      const reader = await join(11);
      log.append(record(11), record(12));
      await until('it continues', () => reader.cursors().includes(12));
      assert.deepEqual(parseSse(reader.text)[1], {
        comments: [],
        event: 'stream.gap',
        data: '{"from":11,"to":10,"reason":"ahead","replay":"http://t/v1/stream/replay?since=11"}',
      });
      assert.deepEqual(reader.cursors(), [11, 12]);
    });
  });

  describe('a reader that is too slow', () => {
    it('a slow reader has at most about 64 KiB unsent, delays no faster reader, and gets all events once it reads again', async () => {
      await open();
      const slow = await join();
      const quick = await join();
      slow.stop();
      const pages: number[] = [];
      for (let page = 0; page < 40; page += 1) {
        log.append(...range(page * 10, page * 10 + 10, {}, 1_024));
        await until('the quick one has it', () => quick.cursors().length === (page + 1) * 10);
        pages.push(slow.writableLength);
      }
      assert.ok(Math.max(...pages) < 65_536 + 15 * 1_024, `${Math.max(...pages)} bytes`);
      assert.equal(pages.at(-1), pages.at(-2));
      slow.go();
      await until('the slow one has all', () => slow.cursors().length === 400);
      assert.deepEqual(slow.cursors(), upTo(0, 400));
      log.append(record(401));
      await until('it is written with its group again', () => slow.cursors().length === 401);
      assert.deepEqual(quick.cursors(), slow.cursors());
    });

    it('slow readers share the buffers that wait to be sent', async () => {
      await open();
      const stalled = await Promise.all(Array.from({ length: 200 }, () => join()));
      for (const reader of stalled) reader.stop();
      for (let page = 0; page < 30; page += 1) {
        log.append(...range(page * 100, page * 100 + 100, {}, 1_024));
        await turn();
      }
      const quick = await join(0);
      await until('the whole log is written', () => quick.cursors().at(-1) === 3_000);
      const unique = new Set(stalled.flatMap((reader) => reader.chunks.map(({ buffer }) => buffer)));
      for (const reader of stalled) assert.ok(reader.writableLength < 1_500 * 1_024);
      const bytes = [...unique].reduce((sum, buffer) => sum + buffer.byteLength, 0);
      assert.ok(bytes < 4 * 1_024 * 1_024, `${bytes} bytes for 200 stalled readers`);
      for (const reader of stalled) reader.destroy();
    });

    it('a reader that does not read is dropped after 30 s, not earlier', async () => {
      await open();
      const slow = await join();
      slow.stop();
      log.append(...range(0, 100, {}, 1_024));
      await until('it stalls', () => slow.writableLength >= 65_536);
      now += 29_999;
      await checked();
      assert.equal(hub.connections(), 1);
      assert.equal(slow.destroyed, false);
      now += 1;
      await until('it is gone', () => slow.destroyed);
      assert.equal(hub.connections(), 0);
      await until('nothing is stored', () => hub.held() === 0);
      assert.deepEqual(logged, ['stream client too slow, asking it to reconnect']);
    });

    it('a reader that reads again gets a new limit of 30 s', async () => {
      await open();
      const slow = await join();
      for (let round = 0; round < 3; round += 1) {
        slow.stop();
        log.append(...range(round * 100, round * 100 + 100, {}, 1_024));
        await until('it stalls', () => slow.writableLength >= 65_536);
        now += 29_999;
        slow.go();
        await until('it drains', () => slow.cursors().length === round * 100 + 100);
      }
      await checked();
      assert.equal(hub.connections(), 1);
    });

    it('a reader that has fallen behind the ring gets a reconnect request with its current position', async () => {
      await open({ ringEvents: 100 });
      const slow = await join();
      const quick = await join();
      slow.stop();
      for (let page = 0; page < 40; page += 1) {
        log.append(...range(page * 50, page * 50 + 50, {}, 1_024));
        await until('the quick one has it', () => quick.cursors().length === (page + 1) * 50);
      }
      slow.go();
      await until('it is ended', () => slow.writableFinished);
      const got = slow.cursors();
      assert.deepEqual(got, upTo(0, got.length));
      assert.ok(got.length < 2_000);
      assert.deepEqual(slow.frames().at(-1), {
        comments: ['server-cycle; reconnect with Last-Event-Id'],
        id: String(got.length),
      });
      const again = await join(got.length);
      await until('it has up to 500', () => again.cursors().length === 500);
      assert.deepEqual(again.cursors(), upTo(got.length, got.length + 500));
    });

    it('a slow reader that catches up has at most about 128 KiB unsent, and gets all events once it reads again', async () => {
      log.append(...range(0, 500, {}, 2_048));
      await open({ ringEvents: 10 });
      const reader = new Reader();
      reader.stop();
      const joining = join(0, EVERYTHING, reader);
      await until('it stalls', () => reader.writableLength >= 65_536);
      await checked();
      assert.ok(reader.writableLength < 131_072 + 4_096, `${reader.writableLength}`);
      log.append(...range(500, 505));
      for (let round = 0; round < 100 && reader.cursors().length < 505; round += 1) {
        reader.go();
        reader.stop();
        await turn();
        assert.ok(reader.writableLength < 131_072 + 4_096);
        reader.go();
        await turn();
      }
      await joining;
      assert.deepEqual(reader.cursors(), upTo(0, 505));
      assert.deepEqual(
        [reader.listenerCount('drain'), reader.listenerCount('close')].map((count) => count <= 2),
        [true, true],
      );
    });

    it('a reader that stops reading while it catches up is dropped after 30 s', async () => {
      log.append(...range(0, 500, {}, 2_048));
      await open({ ringEvents: 10 });
      const reader = new Reader();
      reader.stop();
      const joining = join(0, EVERYTHING, reader);
      await until('it stalls', () => reader.writableLength >= 65_536);
      now += 30_000;
      await until('it is gone', () => reader.destroyed);
      await joining;
      await until('nothing is stored', () => hub.held() === 0);
    });

    it('a socket that does not accept the last frame is destroyed after 30 s', async () => {
      await open();
      const reader = await join();
      reader.stop();
      log.append(record(1));
      await until('it holds one', () => reader.writableLength > 0);
      now += 61 * 60_000;
      await until('it is asked to go', () => reader.writableEnded);
      assert.equal(hub.connections(), 0);
      assert.ok(hub.held() > 0);
      now += 30_000;
      await until('it is cut', () => reader.destroyed);
      await until('nothing is stored', () => hub.held() === 0);
    });
  });

  describe('a log that cannot be read', () => {
    it('a log outage is logged once, and streams continue when the log can be read again', async () => {
      await open();
      const reader = await join();
      const { read } = log;
      let failures = 0;
      log.read = (...asked) =>
        read(...asked).catch((error) => {
          failures += 1;
          throw error;
        });
      const failedReads = (count: number) => until(`${count} reads have failed`, () => failures >= count);
      log.fail(true);
      for (let i = 0; i < 5; i += 1) {
        log.append(record(i + 1));
        await failedReads(i + 1);
      }
      now += 15_000;
      await until('keep-alives continue', () => reader.text.includes('keep-alive'));
      log.fail(false);
      log.wake();
      await until('it continues', () => reader.cursors().length === 5);
      assert.deepEqual(logged, ['reading the event log failed, retrying', 'reading the event log works again']);
      assert.equal(hub.connections(), 1);
    });

    it('a client gets a reconnect request with its position if reading missed events fails', async () => {
      log.append(...range(0, 100, {}, 4_096));
      await open({ ringEvents: 10 });
      const reader = new Reader();
      let reads = 0;
      log.delay = async () => {
        reads += 1;
        // The first two reads, of the range and of one page, succeed. The third one fails.
        if (reads === 3) log.fail(true);
      };
      await join(0, EVERYTHING, reader);
      await until('it is ended', () => reader.writableFinished);
      const got = reader.cursors();
      assert.ok(got.length > 0 && got.length < 100);
      assert.equal(lastId(reader.frames()), got.length);
      assert.equal(reader.frames().at(-1)?.comments[0], 'server-cycle; reconnect with Last-Event-Id');
      log.fail(false);
      log.delay = null;
      assert.deepEqual((await join(got.length)).cursors(), upTo(got.length, 100));
    });

    it('all clients get a reconnect request and then a gap event if events were dropped before the hub read them', async () => {
      log.append(...range(0, 10));
      await open();
      const readers = [await join(), await join(null, league9)];
      log.appendUnseen(...range(10, 40));
      log.drop(30);
      log.show();
      await until('all are ended', () => readers.every((reader) => reader.writableFinished));
      for (const reader of readers) assert.equal(lastId(reader.frames()), 10);
      await until('the hub has continued', () => hub.head() === 40);
      const again = await join(10);
      assert.match(again.text, /"from":10,"to":40,"reason":"expired","sync":"http:\/\/t\/v1\/sync"/);
      log.append(record(41));
      await until('it continues', () => again.cursors().length === 1);
    });

    it('a new filter also applies to a page of missed events that is already being read', async () => {
      log.append(...range(0, 100, {}, 4_096));
      await open({ ringEvents: 10 });
      const reader = new Reader();
      let live: LiveConnection | undefined;
      let answer: () => void = () => {};
      log.delay = async () => {
        if (live === undefined) return;
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      };
      const owner = {
        opened(one: LiveConnection) {
          live = one;
        },
        left() {},
      };
      const joining = hub.connect({ socket: reader, encoder: sseEncoder, filter: EVERYTHING, cursor: 0, links, owner });
      await until('the first page is being read', () => live !== undefined);
      await turn();
      live!.subscribe(league9);
      log.delay = null;
      answer();
      await joining;
      assert.deepEqual(reader.cursors(), []);
    });

    it('a client gets a gap event if the log drops events while the client receives missed ones', async () => {
      log.append(...range(0, 100, {}, 4_096));
      await open({ ringEvents: 10 });
      let reads = 0;
      log.delay = async () => {
        reads += 1;
        if (reads === 3) log.drop(60);
      };
      const reader = await join(0);
      await until('the gap event is sent', () => reader.text.includes('stream.gap'));
      const got = reader.cursors();
      assert.ok(got.length > 0 && got.length < 60);
      assert.ok(reader.text.includes(`"from":${got.length},"to":100,"reason":"expired"`));
    });
  });

  describe('time', () => {
    it('a connection without events gets a keep-alive with the position after 15 s', async () => {
      await open();
      const reader = await join();
      const quiet = await join(null, league9);
      log.append(record(1));
      await until('it is there', () => reader.cursors().length === 1);
      now += 14_999;
      await checked();
      assert.ok(!quiet.text.includes('keep-alive'));
      now += 1;
      await until('a keep-alive', () => quiet.text.includes('keep-alive'));
      assert.ok(quiet.text.endsWith(`: keep-alive ${now / 1_000} cursor=1\nid: 1\n\n`));
      await checked();
      assert.equal(quiet.text.split('keep-alive').length, 2);
    });

    it('a connection gets a reconnect request after 60 minutes, never before, and at most a minute later', async () => {
      await open();
      const readers = await Promise.all(Array.from({ length: 200 }, () => join()));
      now += 3_599_999;
      await checked();
      assert.equal(hub.connections(), 200);
      now += 1 + 30_000;
      await checked();
      const left = hub.connections();
      assert.ok(left > 20 && left < 180, `${left} are left after half of the time`);
      now += 30_000;
      await until('all are gone', () => hub.connections() === 0);
      for (const reader of readers)
        assert.ok(reader.text.endsWith(': server-cycle; reconnect with Last-Event-Id\nid: 0\n\n'));
    });
  });

  describe('memory', () => {
    it('10,000 connections that open and close leave no state behind', async () => {
      log.append(...range(0, 50));
      await open({ ringEvents: 20 });
      const filters = [
        EVERYTHING,
        football,
        league9,
        { sports: ['football', 'tennis'], leagues: [1, 2, 9], types: ['match.'] },
      ];
      for (let round = 0; round < 100; round += 1) {
        const readers = await Promise.all(
          Array.from({ length: 100 }, (_, index) => {
            const reader = new Reader();
            if (index % 3 === 0) reader.stop();
            if (index % 10 === 0) setImmediate(() => reader.destroy());
            if (index % 25 === 0) reader.destroy();
            return join([null, 50, 45, 10, 0, 999][(round + index) % 6], filters[index % 4], reader);
          }),
        );
        if (round % 10 === 0) log.append(record(51 + round / 10));
        for (const [index, reader] of readers.entries()) {
          if (index % 7 === 0) reader.destroy(new Error('reset'));
          else reader.destroy();
        }
      }
      await until('all sets are empty', () => hub.held() === 0);
      assert.equal(hub.connections(), 0);
    });

    it('a client that disconnects while the stream is opening leaves no state behind', async () => {
      log.append(...range(0, 50));
      await open({ ringEvents: 10 });
      let go: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      log.delay = () => gate;
      const early = new Reader();
      const opening = [join(0, EVERYTHING, early)];
      early.destroy();
      go();
      log.delay = null;
      await Promise.all(opening);
      assert.equal(early.text, '');
      assert.equal(hub.held(), 0);
    });
  });

  describe('moving streams elsewhere', () => {
    it('asks the longest-lived streams to reconnect with the cursor, but not young ones', async () => {
      log.append(...range(0, 5));
      await open();
      const old = [await join(), await join(), await join()];
      now += 60_000;
      const young = await join();
      now += 59_999;
      log.append(...range(5, 7));
      await until('the events have arrived', () => young.cursors().length === 2);
      assert.equal(hub.moveOldest(2, 60_000), 2);
      assert.equal(hub.connections(), 2);
      for (const [index, reader] of old.entries()) {
        const isMoved = index < 2;
        assert.equal(reader.text.endsWith(': server-cycle; reconnect with Last-Event-Id\nid: 7\n\n'), isMoved);
        assert.deepEqual(reader.cursors(), [6, 7]);
      }
      assert.equal(hub.moveOldest(5, 60_000), 1, 'the last one is younger than a minute');
      assert.equal(hub.moveOldest(5, 60_000), 0);
      assert.equal(hub.connections(), 1);
    });
  });

  describe('closing', () => {
    it('a hub that closes asks all clients to reconnect, including a late one', async () => {
      log.append(...range(0, 50));
      await open({ ringEvents: 10, socketsPerTurn: 2 });
      const readers = await Promise.all([join(), join(null, league9), join(30), join(), join()]);
      await hub.close();
      for (const reader of readers) {
        assert.ok(reader.text.endsWith(': server-cycle; reconnect with Last-Event-Id\nid: 50\n\n'));
        assert.ok(reader.writableEnded);
      }
      log.fail(true);
      const late = await join(7);
      assert.equal(
        late.text,
        ': connected cursor=7\nretry: 1000\nid: 7\n\n: server-cycle; reconnect with Last-Event-Id\nid: 7\n\n',
      );
      assert.ok((await join(1_000_000)).text.includes('connected cursor=1000000'));
      assert.ok((await join()).writableEnded);
    });

    it('a client that gets a reconnect request during a replay is told its current position', async () => {
      log.append(...range(0, 100, {}, 4_096));
      await open({ ringEvents: 10 });
      const reader = new Reader();
      let go: () => void = () => {};
      let reads = 0;
      log.delay = async () => {
        reads += 1;
        if (reads === 3) {
          await new Promise<void>((resolve) => {
            go = resolve;
          });
        }
      };
      const joining = join(0, EVERYTHING, reader);
      await until('it is in the middle', () => reads === 3);
      log.delay = null;
      await hub.close();
      go();
      await joining;
      const got = reader.cursors();
      assert.ok(got.length > 0 && got.length < 100);
      assert.equal(lastId(reader.frames()), got.length);
      assert.equal(reader.frames().at(-1)!.comments.length, 1);
    });
  });
});
