import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { shapeOfJson } from '../../src/wire/json-text.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { BEARER, type FeedApp, NDJSON, startFeedApp } from '../support/feed-app.ts';
import type { ProblemReply } from '../support/http.ts';
import { until } from '../support/until.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MIB = 1024 * 1024;

describe('the feed over HTTP', () => {
  let bench: FeedBench;
  let service: FeedApp;
  before(async () => {
    bench = await openFeedBench();
    service = await startFeedApp(bench);
  });
  after(async () => {
    await service.close();
    await bench.db.drop();
  });
  beforeEach(() => bench.nextMatch());

  const several = (...fields: MatchFields[]) =>
    fields.map((one) => {
      bench.nextMatch();
      return bench.update(one);
    });
  const lines = (updates: object[]) => updates.map((update) => JSON.stringify(update)).join('\n');

  it('one update is applied and counted', async () => {
    const update = bench.update();
    for (const expected of [
      { accepted: 1, unchanged: 0, rejected: [] },
      { accepted: 0, unchanged: 1, rejected: [] },
    ]) {
      const { status, json, headers } = await service.post(update);
      assert.deepEqual([status, json], [200, expected]);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('an array is accepted, and NDJSON under either media type', async () => {
    const updates = several({}, {}, {});
    assert.deepEqual((await service.post(updates)).json, { accepted: 3, unchanged: 0, rejected: [] });
    for (const type of ['application/x-ndjson', 'application/ndjson', 'Application/X-NDJSON; charset=utf-8']) {
      const { status, json } = await service.post(lines(updates), { 'Content-Type': type });
      assert.deepEqual([status, json], [200, { accepted: 0, unchanged: 3, rejected: [] }], type);
    }
    assert.deepEqual((await service.post([])).json, { accepted: 0, unchanged: 0, rejected: [] });
    assert.deepEqual((await service.post('', NDJSON)).json, { accepted: 0, unchanged: 0, rejected: [] });
  });

  it('a single invalid update is 422, with each error', async () => {
    const bad = bench.update({ referee: '', attendance: -1 });
    const { status, json } = await service.post<ProblemReply>(bad);
    assert.deepEqual([status, json.code], [422, 'invalid_parameter']);
    assert.deepEqual(
      json.errors!.map(({ parameter, code }) => [parameter, code]),
      [
        ['match.referee', 'too_small'],
        ['match.referee', 'custom'],
        ['match.attendance', 'too_small'],
      ],
    );
    const unknown = await service.post<ProblemReply>(bench.update({ sport: 'quidditch' }));
    assert.deepEqual([unknown.status, unknown.json.errors![0]!.code], [422, 'unknown_sport']);
    assert.match(unknown.json.errors![0]!.detail, /football, .*tennis/);
    const { rows } = await bench.db.pool.query('SELECT provider, update_text FROM feed_rejection ORDER BY id LIMIT 1');
    assert.deepEqual(rows, [{ provider: 'live', update_text: JSON.stringify(bad) }]);
  });

  it('former names that overlap, end before they start, have no day, or belong to a player are 422, with each error', async () => {
    const named = (former_names: object[], over: object = {}) => ({
      ...bench.update(),
      kind: 'participant',
      match: undefined,
      participant: { type: 'team', sport: 'football', name: 'Named', country: 'FR', former_names, ...over },
    });
    const nineties = { name: 'Nineties', from: '1990-01-01', to: '1999-12-31' };
    const at = 'participant.former_names';
    for (const [body, ...expected] of [
      [
        named([nineties, { name: 'Again', from: '1999-12-31', to: '2000-01-01' }]),
        `${at}.1 overlaps the period of Nineties`,
      ],
      [named([nineties, nineties]), `${at}.1 overlaps the period of Nineties`],
      [named([{ name: 'Since', from: '1950-01-01' }, nineties]), `${at}.1 overlaps the period of Since`],
      [
        named([
          { name: 'Until', to: '1990-01-01' },
          { name: 'Before', to: '1900-01-01' },
        ]),
        `${at}.1 overlaps the period of Until`,
      ],
      [named([{ ...nineties, to: '1989-12-31' }]), `${at}.0.to ends before it starts on 1990-01-01`],
      [
        named([{ name: 'Always' }, { name: ' ', from: '1990-01-01' }]),
        `${at}.0.from needs a first or a last day`,
        `${at}.1.name must not be blank`,
        `${at}.1 overlaps the period of Always`,
      ],
      [named([{ ...nineties, from: '1990-02-30' }]), `${at}.0.from Invalid ISO date`],
      [named([{ ...nineties, until: '1999' }]), `${at}.0.until is not known here`],
      [named([nineties], { type: 'player', birth_date: '2000-01-01' }), `${at} exist for teams only`],
    ] as [object, ...string[]][]) {
      const { status, json } = await service.post<ProblemReply>(body);
      assert.deepEqual(
        [status, json.errors?.map(({ parameter, detail }) => `${parameter} ${detail}`)],
        [422, expected],
      );
    }
    assert.equal((await bench.db.pool.query("SELECT FROM participant WHERE name = 'Named'")).rowCount, 0);
    assert.deepEqual((await service.post(named([nineties, { name: 'Next', from: '2000-01-01' }]))).json.accepted, 1);
  });

  it('invalid updates among several are listed by position, and do not affect the rest', async () => {
    const [one, two, three, four] = several({}, { sport: 'quidditch' }, { minute: -1 }, {});
    for (const [body, headers] of [
      [[one, two, three, four], {}],
      [lines([one!, two!, three!, four!]), NDJSON],
    ] as const) {
      const { status, json } = await service.post(body, headers);
      assert.equal(status, 200);
      assert.equal(json.accepted + json.unchanged, 2);
      assert.deepEqual(
        json.rejected.map(({ index, errors }) => [index, errors.map(({ path }) => path)]),
        [
          [1, ['match.sport']],
          [2, ['match.minute']],
        ],
      );
    }
  });

  it('each kind of unreadable body has its own error', async () => {
    const update = JSON.stringify(bench.update());
    const cases: [name: string, body: unknown, headers: Record<string, string>, status: number, code: string][] = [
      ['no token', update, { ...JSON_TYPE, Authorization: '' }, 401, 'key_missing'],
      ['a wrong token', update, { ...JSON_TYPE, Authorization: 'Bearer wrong' }, 401, 'key_invalid'],
      ['another scheme', update, { ...JSON_TYPE, Authorization: BEARER.Authorization.replace('Bearer', 'Basic') }, 401, 'key_missing'],
      ['an API key', update, { ...JSON_TYPE, Authorization: `Bearer ${service.app.key}` }, 401, 'key_invalid'],
      ['no JSON', '{"schema":', JSON_TYPE, 400, 'bad_request'],
      ['nothing', '', JSON_TYPE, 400, 'bad_request'],
      ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE, 400, 'bad_request'],
      ['another media type', update, { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['another charset', update, { 'Content-Type': 'application/json; charset=latin1' }, 415, 'unsupported_media_type'],
      ['gzip', gzipSync(update), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 415, 'unsupported_media_type'],
      ['1 MB', JSON.stringify({ x: 'x'.repeat(MIB) }), JSON_TYPE, 413, 'payload_too_large'],
      ['10 MB', JSON.stringify({ x: 'x'.repeat(10 * MIB) }), JSON_TYPE, 413, 'payload_too_large'],
      ['17 MB', `[${' '.repeat(17 * MIB)}]`, JSON_TYPE, 413, 'payload_too_large'],
      ['endless nesting', '['.repeat(100_000) + ']'.repeat(100_000), JSON_TYPE, 200, ''],
    ]; // biome-ignore format: a table
    for (const [name, body, headers, status, code] of cases) {
      const answer = await service.post<ProblemReply>(body, headers);
      assert.deepEqual([answer.status, answer.json.code ?? ''], [status, code], name);
      if (name === 'gzip') assert.match(answer.json.detail, /not compressed/);
      if (status === 401) assert.match(answer.headers.get('www-authenticate')!, /^Bearer/);
    }
  });

  /**
   * Measures what is passed to the parser while `work` runs: the highest number of arrays and objects, and the greatest
   * depth.
   */
  async function parsed(work: () => Promise<void>): Promise<{ depth: number; containers: number }> {
    const largest = { depth: 0, containers: 0 };
    const { parse } = JSON;
    JSON.parse = (text, reviver) => {
      const { depth, containers } = shapeOfJson(text);
      largest.depth = Math.max(largest.depth, depth);
      largest.containers = Math.max(largest.containers, containers);
      return parse(text, reviver);
    };
    try {
      await work();
    } finally {
      JSON.parse = parse;
    }
    return largest;
  }
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('10 MB of brackets never reach the parser and do not affect the updates around them', async () => {
    const [one, two] = several({}, {}).map((update) => JSON.stringify(update));
    const shape = await parsed(async () => {
      const open = await service.post<ProblemReply>('['.repeat(10 * MIB), JSON_TYPE);
      assert.deepEqual([open.status, open.json.code], [400, 'bad_request']);
      assert.match(open.json.detail, /not JSON: the array does not end/);
      const closed = await service.post(nested(5 * MIB), JSON_TYPE);
      assert.deepEqual(
        closed.json.rejected.map(({ errors }) => errors[0]!.code),
        ['too_large'],
      );
      for (const [body, type] of [
        [`[${one},${nested(5 * MIB)},${nested(400_000)},[${'[],'.repeat(300_000)}0],${two}]`, JSON_TYPE],
        [[one, nested(5 * MIB), nested(400_000), `[${'[],'.repeat(300_000)}0]`, two].join('\n'), NDJSON],
      ] as const) {
        const { json } = await service.post(body, type);
        assert.equal(json.accepted + json.unchanged, 2);
        assert.deepEqual(
          json.rejected.map(({ index, errors }) => [index, errors[0]!.code]),
          [
            [1, 'too_large'],
            [2, 'too_deep'],
            [3, 'too_big'],
          ],
        );
      }
    });
    assert.ok(shape.depth <= 42, `${shape.depth} deep`);
    assert.ok(shape.containers <= 100_000, `${shape.containers} arrays and objects`);
  });

  it('100,000 invalid updates get a reply within 20 s, are counted and stored, and a longer array is refused', async function () {
    this.timeout(20_000);
    await bench.db.pool.query('TRUNCATE feed_rejection');
    const [good] = several({});
    const body = `[${JSON.stringify(good)},${'{"kind":"wish"},'.repeat(99_998)}7]`;
    const { status, json } = await service.post(body, JSON_TYPE);
    assert.deepEqual([status, json.accepted, json.rejected.length, json.more_rejected], [200, 1, 1_000, 98_999]);
    assert.deepEqual([json.rejected[0]!.index, json.rejected[999]!.index], [1, 1_000]);
    const { rows } = await bench.db.pool.query(
      'SELECT count(*)::int, (array_agg(update_text ORDER BY id DESC))[1] AS last FROM feed_rejection',
    );
    assert.deepEqual(rows, [{ count: 99_999, last: '7' }]);
    const more = await service.post<ProblemReply>(`[${'0,'.repeat(100_000)}0]`, JSON_TYPE);
    assert.deepEqual([more.status, more.json.code], [413, 'payload_too_large']);
    assert.match(more.json.detail, /more than 100000 elements; send them as NDJSON/);
    assert.equal((await bench.db.pool.query('SELECT FROM feed_rejection')).rowCount, 99_999);
  });

  it('half a surrogate pair is rejected with its path, and the updates around it are accepted', async () => {
    const [one, two, three] = several({}, { referee: 'R' }, {}).map((update) => JSON.stringify(update));
    const bad = two!.replace('"referee":"R"', '"referee":"\\ud800"');
    const answers = [await service.post(`[${one},${bad},${three}]`, JSON_TYPE)];
    answers.push(await service.post([one, bad, three].join('\n'), NDJSON));
    for (const { status, json } of answers) {
      assert.deepEqual([status, json.accepted + json.unchanged], [200, 2]);
      assert.deepEqual(
        json.rejected.map(({ index, errors }) => [index, errors.map(({ path, code }) => [path, code])]),
        [[1, [['match.referee', 'malformed_unicode']]]],
      );
    }
    const alone = await service.post<ProblemReply>(bad, JSON_TYPE);
    assert.deepEqual([alone.status, alone.json.errors![0]!.parameter], [422, 'match.referee']);
  });

  it('a 5 MB line is one invalid update, and reading continues', async () => {
    const [one, two] = several({}, {});
    const body = [JSON.stringify(one), `{"x":"${'x'.repeat(5 * MIB)}"}`, '{"bad"', JSON.stringify(two)].join('\n');
    const { status, json } = await service.post(body, NDJSON);
    assert.deepEqual([status, json.accepted], [200, 2]);
    assert.deepEqual(
      json.rejected.map(({ index, errors }) => [index, errors[0]!.code]),
      [
        [1, 'too_large'],
        [2, 'invalid_json'],
      ],
    );
  });

  /** Sends the beginning of a request, and closes the connection. */
  function abort(body: string, type: string, length: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(service.app.port, '127.0.0.1', () => {
        socket.write(
          `POST /feed/v1/updates HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${BEARER.Authorization}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n${body}`,
          () => socket.destroy(),
        );
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });
  }

  it('only the complete lines of an aborted request are applied', async () => {
    const [whole, half, document] = several(
      { referee: 'Whole line' },
      { referee: 'Half line' },
      { referee: 'Document' },
    );
    const text = `${JSON.stringify(whole)}\n${JSON.stringify(half)}`;
    const chunk = `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    let closed = 0;
    const onRequest = (message: unknown) =>
      (message as { request: IncomingMessage }).request.once('close', () => {
        closed += 1;
      });
    channel('http.server.request.start').subscribe(onRequest);
    await abort(text, 'application/x-ndjson', 'Content-Length: 100000');
    await abort(chunk, 'application/x-ndjson', 'Transfer-Encoding: chunked');
    await abort(JSON.stringify(document), 'application/json', 'Content-Length: 100000');
    const { pool } = bench.db;
    const stored = async () => {
      const { rows } = await pool.query(
        "SELECT referee FROM match WHERE referee IN ('Whole line', 'Half line', 'Document')",
      );
      return rows.map(({ referee }) => referee);
    };
    await until('the service has seen three aborted requests', () => closed === 3);
    channel('http.server.request.start').unsubscribe(onRequest);
    await until('the complete line is stored', async () => (await stored()).includes('Whole line'));
    await until('nothing is being written', () => pool.idleCount === pool.totalCount);
    assert.equal((await service.post(bench.update())).status, 200);
    assert.deepEqual(await stored(), ['Whole line']);
  });

  it('a store failure among many lines gets a reply', async () => {
    const updates = several(...Array.from({ length: 200 }, () => ({})));
    await bench.db.pool.query('ALTER TABLE feed_rejection RENAME TO away');
    try {
      const { status, json } = await service.post<ProblemReply>(`{}\n${lines(updates)}`, NDJSON);
      assert.deepEqual([status, json.code], [500, 'internal']);
    } finally {
      await bench.db.pool.query('ALTER TABLE away RENAME TO feed_rejection');
    }
  });

  it('the service’s match id can be looked up by the provider’s id', async () => {
    const id = 'odd id/ü?&=';
    const matchId = await bench.accept({ id });
    const path = (provider: string, external: string) =>
      `/feed/v1/match?provider=${encodeURIComponent(provider)}&id=${encodeURIComponent(external)}`;
    assert.deepEqual((await service.get(path('live', id))).json, { match_id: matchId });
    assert.equal((await service.get(path('other', id))).status, 404);
    assert.equal((await service.get(path('live', 'unknown'))).status, 404);
    for (const query of ['', '?provider=live', '?provider=live&id=', `?provider=live&id=${'x'.repeat(201)}`])
      assert.equal((await service.get(`/feed/v1/match${query}`)).status, 422, query);
    const stranger = await service.app.ask(path('live', id), { key: null });
    assert.equal(stranger.status, 401);
  });

  it('unsupported methods and OPTIONS get a reply', async () => {
    const get = await service.get('/feed/v1/updates');
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS']);
    const options = await service.app.ask('/feed/v1/updates', { method: 'OPTIONS', key: null });
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'POST, OPTIONS']);
  });

  it('many concurrent updates to one match over many connections are applied', async () => {
    const id = await bench.accept({ status: 'live' });
    await bench.events();
    const updates = Array.from({ length: 16 }, (_, index) =>
      bench.update({
        minute: index,
        incidents: Array.from({ length: index }, (_one, at) => ({ id: `v${at}`, kind: 'var', minute: at })),
      }),
    );
    const answers = await Promise.all(updates.map((update) => service.post(update)));
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200),
      [],
    );
    const card = await bench.card(id);
    assert.deepEqual([card.minute, card.incidents!.length], [15, 15]);
    const events = await bench.events();
    assert.deepEqual(
      events.map(({ data }) => data.sequence),
      events.map((_, index) => index + events[0]!.data.sequence),
    );
  });
});
