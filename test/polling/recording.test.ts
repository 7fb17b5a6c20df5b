/** Tests that a source can be recorded, and that the recording is served as the source would reply. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Recorder } from '../../src/polling/recorder.ts';
import { createRecording, type RecordedReply, readRecording } from '../../src/polling/recording.ts';
import { type ReplayOptions, type ReplayServer, startReplayServer } from '../../src/polling/replay-server.ts';
import { provider as openligadb } from '../../src/providers/openligadb/provider.ts';
import { enterGoal, enterMatch, type OpenLigaDbServer, startOpenLigaDb } from '../support/openligadb.ts';

const START = Date.parse('2026-11-21T14:30:00Z');
const MINUTE = 60_000;
const SHIPPED = new URL('../../data/recordings/openligadb-afternoon', import.meta.url).pathname;
const about = {
  format: 1 as const,
  provider: 'openligadb',
  scopes: ['bl1'],
  url: 'https://api.openligadb.de',
  begun_at: '2026-11-21T14:30:00.000Z',
};

describe('a source recording', () => {
  let folder: string;
  let now: number;
  const clock = { now: () => now };
  const open: (ReplayServer | OpenLigaDbServer)[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recording-'));
    now = START;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
    await rm(folder, { recursive: true });
  });

  const replay = async (replies: RecordedReply[], options: Partial<ReplayOptions> = {}) => {
    const server = await startReplayServer(replies, { speed: 1, moveTimes: false, port: 0, clock, ...options });
    open.push(server);
    return async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(server.url + path, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
  };
  const reply = (at: number, path: string, body: string, over: Partial<RecordedReply> = {}): RecordedReply => ({
    at,
    path,
    status: 200,
    headers: { 'content-type': 'application/json' },
    body,
    ...over,
  });

  it('has the raw replies to the poller’s requests, with times and headers', async () => {
    const source = await startOpenLigaDb(clock.now);
    open.push(source);
    const match = enterMatch(['FC Bayern München', 'VfB Stuttgart'], START);
    source.matches = [match];
    const target = join(folder, 'new');
    const writer = await createRecording(target, about);
    const said: string[] = [];
    const recorder = new Recorder({ clock, url: source.url, writer, say: (line) => said.push(line) }, openligadb, [
      'bl1',
    ]);
    const { signal } = new AbortController();
    for (; now < START + 2 * MINUTE; now += 5_000) {
      if (now === START + MINUTE) {
        enterGoal(match, '1:0', 1, 'H. Kane');
        source.touch(match);
      }
      await recorder.turn(signal);
    }
    now += MINUTE;
    source.fault = (_, response) => {
      response.writeHead(503, { 'Retry-After': '60', 'Set-Cookie': 'secret=1' }).end('<html>');
      return true;
    };
    await recorder.turn(signal);
    await writer.close();
    const { about: described, replies } = await readRecording(target);
    assert.deepEqual(described, about);
    assert.equal(replies.length, source.asked.length);
    const group = replies
      .filter(({ path }) => path === '/getmatchdata/bl1/2026/11')
      .map(({ body }) => JSON.parse(body));
    assert.deepEqual([...new Set(group.map(([entry]) => (entry as { goals: unknown[] }).goals.length))], [0, 1]);
    const last = replies.at(-1)!;
    assert.deepEqual([last.status, last.body, last.headers['retry-after']], [503, '<html>', '60']);
    assert.equal(last.headers['set-cookie'], undefined);
    assert.match(said.at(-1)!, /status 503$/);
    await assert.rejects(createRecording(target, about), /already has a recording$/);
  });

  it('has all replies up to the moment when the recorder was killed', async () => {
    const writer = await createRecording(folder, about);
    const headers = new Headers();
    for (let at = 0; at < 3; at += 1) writer.add({ at: START + at, path: '/x', status: 200, headers, body: `"${at}"` });
    const file = join(folder, 'replies.ndjson.gz');
    await writer.close();
    const whole = await readFile(file);
    // The file ends in the middle of a line.
    await writeFile(file, whole.subarray(0, -10));
    assert.deepEqual(
      (await readRecording(folder)).replies.map(({ body }) => body),
      ['"0"', '"1"'],
    );
  });

  it('is refused in one line if it is missing or damaged', async () => {
    await assert.rejects(readRecording(join(folder, 'nowhere')), /has no recording: recording\.json is missing$/);
    await writeFile(join(folder, 'recording.json'), '{"format": 9}');
    await assert.rejects(readRecording(folder), /is damaged: recording\.json cannot be read$/);
    await rm(join(folder, 'recording.json'));
    const writer = await createRecording(folder, about);
    writer.add({ at: START, path: 'x', status: 200, headers: new Headers(), body: '' });
    await writer.close();
    await assert.rejects(readRecording(folder), /is damaged: line 1 of replies\.ndjson\.gz cannot be read$/);
  });

  it('is served reply by reply, at the given speed', async () => {
    const ask = await replay(
      [reply(START, '/a', '"first"'), reply(START + MINUTE, '/a', '"second"'), reply(START + 2 * MINUTE, '/b', '"b"')],
      { speed: 60 },
    );
    assert.equal((await ask('/a')).text, '"first"');
    assert.equal((await ask('/b')).text, '"b"', 'what was asked later is there before');
    now += 1_000;
    assert.equal((await ask('/a')).text, '"second"');
    now += 1_000;
    assert.equal((await ask('/b')).headers.get('date'), new Date(START + 2 * MINUTE).toUTCString());
    assert.equal((await ask('/c')).status, 404);
    now += 3_600_000;
    assert.equal((await ask('/a')).text, '"second"', 'the last reply stays');
  });

  it('keeps statuses and validators', async () => {
    const ask = await replay([
      reply(START, '/a', '{}', { headers: { etag: '"7"' } }),
      reply(START, '/gone', 'gone', { status: 410, headers: { 'content-type': 'text/plain' } }),
    ]);
    assert.equal((await ask('/a')).headers.get('etag'), '"7"');
    assert.equal((await ask('/a', { 'If-None-Match': '"7"' })).status, 304);
    const gone = await ask('/gone');
    assert.deepEqual([gone.status, gone.text, gone.headers.get('content-type')], [410, 'gone', 'text/plain']);
  });

  it('is shifted to the present, including the times in replies and the days in paths', async () => {
    const body = JSON.stringify({
      utc: '2026-11-21T14:30:00Z',
      offset: '2026-11-21T16:00:00.123+01:00',
      wall: '2026-11-21T15:30:00',
      day: '2026-11-21',
      never: '0001-01-01T00:00:00',
      unixtime: START / 1_000,
      text: 'room 2026-11',
    });
    now = Date.parse('2030-01-05T20:00:00Z');
    const ask = await replay([reply(START, '/schedule/2026-11-21', body)], { moveTimes: true, speed: 2 });
    const { text, headers } = await ask('/schedule/2030-01-05');
    assert.deepEqual(JSON.parse(text), {
      utc: '2030-01-05T20:00:00Z',
      offset: '2030-01-05T21:15:00.123+01:00',
      wall: '2030-01-05T20:30:00',
      day: '2030-01-05',
      never: '0001-01-01T00:00:00',
      unixtime: now / 1_000,
      text: 'room 2026-11',
    });
    assert.equal(headers.get('date'), new Date(now).toUTCString());
  });

  it('can be read as shipped, and has nine matches, eight of them in progress', async () => {
    const { about: described, replies } = await readRecording(SHIPPED);
    assert.deepEqual([described.provider, described.scopes], ['openligadb', ['demo/2026']]);
    const first = replies.find(({ path }) => path === '/getmatchdata/demo/2026')!;
    const matches = JSON.parse(first.body) as { matchDateTimeUTC: string }[];
    assert.equal(matches.length, 9);
    assert.equal(matches.filter((match) => Date.parse(match.matchDateTimeUTC) < first.at).length, 8);
    assert.ok(gunzipSync(await readFile(join(SHIPPED, 'replies.ndjson.gz'))).length > 10_000);
  });
});
