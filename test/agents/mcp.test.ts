/** Tests the tools as a model uses them, with the official client and with the official conformance suite. */
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isTool, toolName } from '../../src/agents/tool.ts';
import { api } from '../../src/api/role.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { IMAGE_NODE, imageNode } from '../support/image-node.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';
import { type Check, runConformance } from './conformance.ts';

/** Checks in the suite that this service cannot pass, with the reasons. */
const EXPECTED_FAILURES: Readonly<Record<string, RegExp>> = {
  'the scenario calls a tool that only a test server has': /Unknown tool: test_|diagnostic tool 'test_/,
  'the scenario needs a tool with a certain schema or annotation that only a test server has':
    /json_schema_2020_12_tool|no tool with x-mcp-header annotations/,
  'the service has no prompts, resources, completion or logging, and does not declare them': /Method not found/,
  'the scenario follows from a call of a tool that only a test server has':
    /^Expected InputRequiredResult with inputRequests and requestState$|^Prerequisite failed: could not get initial InputRequiredResult/,
};
/** Whether a check is about an extension, which no revision requires. */
const isExtension = ({ scenario }: Check) => scenario.startsWith('tasks-');

/** Scenarios in which the service passes all checks. */
const PASSED: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': ['tools-list', 'dns-rebinding-protection', 'http-header-validation', 'server-sse-multiple-streams'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
};

/** The fields in a list of matches that the tests read. */
interface Listed {
  events: { id: number; participants: object[] }[];
  total: number;
  next_after: string;
}

/** The reply of a tool that was called with several ids. */
type Many<T> = { id: number; reply: T; error?: { code: string } }[];

interface Analysis {
  home: { name: string };
  model: { probabilities: object } | null;
}

describe('the Model Context Protocol', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let service: SampleService;
  const clients: Client[] = [];
  before(async () => {
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    service = await startSampleService({ DATABASE_URL: db.url, CLICKHOUSE_URL: clickhouse.url });
  });
  after(async () => {
    for (const client of clients) await client.close();
    await service?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  async function connect(mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
    const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${service.key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    clients.push(client);
    return client;
  }
  /**
   * Calls a tool.
   * @returns the parsed reply, and the note about what was left out
   */
  async function call<T = Listed>(client: Client, name: string, args: Record<string, unknown> = {}) {
    // The client checks structured content against the tool's schema.
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    const [reply = '', note = ''] = content.map((part) => (part.type === 'text' ? part.text : ''));
    const json = JSON.parse(reply) as T;
    assert.deepEqual(structuredContent, isError ? undefined : Array.isArray(json) ? { results: json } : json);
    return { json, text: reply, note, isError: isError === true };
  }
  async function rest<T = Listed>(path: string): Promise<T> {
    const answer = await fetch(service.url + path, { headers: { 'x-api-key': service.key } });
    return (await answer.json()) as T;
  }

  it('tells a model in three calls which matches are live and what the statistical model predicts', async () => {
    const client = await connect();
    const { json: live } = await call(client, 'events_live');
    const ids = live.events.map(({ id }: { id: number }) => id);
    assert.ok(ids.length > 0);
    // The sample's live match is between sides without a history, so this also asks about a finished match.
    const { json: cards } = await call<Many<Analysis>>(client, 'event_analytics', {
      id: [...ids, 360],
      fields: ['event_id', 'home', 'away', 'model'],
    });
    assert.deepEqual(
      cards.map(({ id }: { id: number }) => id),
      [...ids, 360],
    );
    const full = await rest<Analysis>('/v1/event/360/analytics');
    const { reply } = cards.at(-1)!;
    assert.deepEqual(reply.model!.probabilities, full.model!.probabilities);
    assert.equal(reply.home.name, full.home.name);
    // The model is missing, but the reply shows it as null because the call asked for it by name.
    assert.equal(cards[0]!.reply.model, null);
  });

  it('has a tool for each data route, with parameter schemas', async () => {
    const { tools } = await (await connect()).listTools();
    const routes = api.routes.filter(isTool);
    assert.ok(routes.length > 20);
    assert.deepEqual(
      tools.map(({ name }) => name),
      routes.map(({ path }) => toolName(path)),
    );
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      assert.match(name, /^[a-z0-9_]{1,64}$/);
      assert.match(description ?? '', /REST: GET \/v1\//);
      assert.equal(annotations?.readOnlyHint, true);
      ajv.compile(inputSchema);
      ajv.compile(outputSchema!);
    }
    const events = tools.find(({ name }) => name === 'events')!;
    const valid = ajv.compile(events.inputSchema);
    assert.ok(valid({ sport: ['football'], date: '2026-03-01', tz: 'Europe/Kyiv', limit: 5 }));
    for (const bad of [{ limit: 101 }, { ids: Array(101).fill(1) }, { team: 'x' }, { order: 'up' }])
      assert.ok(!valid(bad));
    // What a model reads of all tools takes only a small part of its context. Programs read the output schemas.
    assert.ok(JSON.stringify(tools, (name, value) => (name === 'outputSchema' ? undefined : value)).length < 60_000);
    assert.ok(JSON.stringify(tools).length < 160_000);
  });

  it('has tools whose replies on the sample data are valid JSON within the size limit', async () => {
    const client = await connect();
    for (const route of api.routes.filter(isTool)) {
      const [path = '', query = ''] = service.targetOf(route).split('?');
      const args: Record<string, unknown> = Object.fromEntries(new URLSearchParams(query));
      const [, placeholder] = /\{(\w+)\}/.exec(route.path) ?? [];
      if (placeholder !== undefined)
        args[placeholder] = path.split('/')[route.path.split('/').indexOf(`{${placeholder}}`)];
      for (const full_reply of [false, true]) {
        const { text, json, isError } = await call(client, toolName(route.path), { ...args, full_reply });
        assert.ok(!isError, `${route.path}: ${text}`);
        assert.equal(typeof json, 'object');
        assert.ok(text.length <= (full_reply ? 48_000 : 16_000), `${route.path}: ${text.length}`);
        if (placeholder !== 'id') continue;
        const id = Array.from({ length: 10 }, (_, n) => Number(args.id) + n);
        const several = await call(client, toolName(route.path), { ...args, id, full_reply });
        assert.ok(several.text.length <= (full_reply ? 48_000 : 16_000), `${route.path}: ${several.text.length}`);
      }
    }
  });

  it('shows each match’s main members, and divides results into pages with hints', async () => {
    const client = await connect();
    const { json, note } = await call(client, 'events', { sport: 'football', status: ['finished'] });
    assert.equal(json.events.length, 20);
    assert.deepEqual(Object.keys(json.events[0]!).sort(), [
      'id',
      'participants',
      'round_num',
      'scheduled_start',
      'season_id',
      'sport',
      'status',
      'status_detail',
      'tournament',
      'tournament_id',
    ]);
    assert.deepEqual(Object.keys(json.events[0]!.participants[0]!), ['participant_id', 'name', 'side', 'score']);
    const after = /`after` ("[^"]+")/.exec(note)?.[1];
    assert.ok(after, note);
    const next = await call(client, 'events', { sport: 'football', status: 'finished', after: JSON.parse(after) });
    const all = await rest('/v1/events?sport=football&status=finished&limit=40');
    assert.deepEqual(
      [...json.events, ...next.json.events].map(({ id }: { id: number }) => id),
      all.events.map(({ id }: { id: number }) => id),
    );
  });

  it('shortens a long reply with a note, and continues after the part that was shown', async () => {
    const client = await connect();
    const { json, note } = await call(client, 'events', { limit: 100 });
    const shown = json.events.length;
    assert.ok(shown > 20 && shown < 100);
    assert.match(note, new RegExp(`\`events\` is cut to ${shown} of 100 items.*\`offset\` ${shown}`));
    const next = await call(client, 'events', { limit: 1, offset: shown });
    const all = await rest(`/v1/events?limit=1&offset=${shown}`);
    assert.equal(next.json.events[0]!.id, all.events[0]!.id);
    // If a page begins at a cursor, the note cannot give an offset to continue from.
    const { next_after } = await rest('/v1/events?limit=1');
    const later = await call(client, 'events', { limit: 100, after: next_after });
    assert.match(later.note, new RegExp(`Ask with \`limit\` ${later.json.events.length} to get`));
    assert.doesNotMatch(later.note, /offset/);
    const { next_after: almost } = await rest(`/v1/events?limit=1&offset=${all.total - 2}`);
    const last = await call(client, 'events', { after: almost });
    assert.equal(last.json.events.length, 1);
    assert.match(last.note, /^Short form/);
  });

  it('keeps the incidents of a long card, and names the argument that returns what was left out', async () => {
    const client = await connect();
    type Card = Record<'incidents' | 'lineups' | 'statistics' | 'shotmap', object[]>;
    const full = await rest<Card>('/v1/event/358');
    const { json, note } = await call<Card>(client, 'event', { id: 358 });
    for (const block of ['incidents', 'lineups'] as const) assert.equal(json[block].length, full[block].length, block);
    assert.ok(json.statistics.length > 0.8 * full.statistics.length);
    assert.ok(json.shotmap.length < full.shotmap.length);
    assert.match(
      note,
      /`shotmap` is cut to \d+ of \d+ items.*The rest: a call for one id with .*`fields` \["shotmap"\]/,
    );
    const whole = await call<Card>(client, 'event', { id: 358, fields: ['shotmap'] });
    assert.equal(whole.json.shotmap.length, full.shotmap.length);
  });

  it('gives instructions that name the calls with the shortest answer', async () => {
    const client = await connect();
    const instructions = client.getInstructions() ?? '';
    const { json: list } = await call(client, 'events', {
      sport: 'football',
      status: 'finished',
      order: 'desc',
      limit: 10,
    });
    const id = list.events.map((event) => event.id);
    const lengths: number[] = [];
    for (const [, name, fields] of instructions.matchAll(/(event_\w+) with .*?`fields` (\[[^\]]+\])/g)) {
      const { text, isError } = await call(client, name!, { id, fields: JSON.parse(fields!) as string[] });
      assert.ok(!isError, text);
      lengths.push(text.length);
    }
    const [chances, models] = lengths as [number, number];
    assert.equal(lengths.length, 2);
    assert.ok(chances < 2_000 && chances < models / 2, `${chances} and ${models}`);
  });

  it('returns the REST API’s reply if `full_reply` is set, and only chosen members if `fields` is set', async () => {
    const client = await connect();
    const full = await call(client, 'events_live', { full_reply: true });
    assert.deepEqual(full.json, await rest('/v1/events/live'));
    const some = await call(client, 'tournament_standings', { id: 1, fields: ['season_label', 'complete'] });
    assert.deepEqual(some.json, { season_label: '2025/26', complete: true });
    const wrong = await call<{ detail: string }>(client, 'tournament_standings', { id: 1, fields: ['score'] });
    assert.ok(wrong.isError);
    assert.match(wrong.json.detail, /the reply has tournament_id, /);
  });

  it('names which of several ids is unknown, and shows the rest', async () => {
    const { json, isError } = await call<Many<{ name: string }>>(await connect(), 'participant', {
      id: [10, 999_999, 10],
    });
    assert.equal(isError, false);
    assert.equal(json.length, 2);
    assert.equal(json[0]!.reply.name, 'Larkstead Albion');
    assert.equal(json[1]!.error!.code, 'not_found');
    const one = await call(await connect(), 'participant', { id: [10] });
    assert.deepEqual(one.json, [{ id: 10, reply: json[0]!.reply }]);
  });

  it('serves clients that use older protocol revisions with the same tools', async () => {
    const [old, current] = await Promise.all([connect('legacy'), connect()]);
    assert.equal(current.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.match(old.getNegotiatedProtocolVersion() ?? '', /^2025-/);
    const [before, now] = await Promise.all([old.listTools(), current.listTools()]);
    assert.deepEqual(
      before.tools.map(({ name }) => name),
      now.tools.map(({ name }) => name),
    );
    const { json } = await call(old, 'events_live');
    assert.ok(json.events.length > 0);
  });

  for (const revision of ['2026-07-28', '2025-11-25']) {
    it(`passes the parts of the conformance suite for ${revision} that apply to this service`, async function () {
      const node = imageNode();
      if (node === null) {
        console.log(`      Node ${IMAGE_NODE} cannot be obtained: the conformance suite is not run`);
        return this.skip();
      }
      const checks = await runConformance(node, service.url, service.key, revision);
      const failed = checks.filter((check) => check.status === 'FAILURE' && !isExtension(check));
      const reasons = Object.values(EXPECTED_FAILURES);
      assert.deepEqual(
        failed.filter(({ errorMessage = '' }) => !reasons.some((reason) => reason.test(errorMessage))),
        [],
      );
      for (const scenario of PASSED[revision]!) {
        const own = checks.filter((check) => check.scenario === scenario && check.status !== 'INFO');
        assert.ok(
          own.some(({ status }) => status === 'SUCCESS'),
          scenario,
        );
        assert.deepEqual(
          own.filter(({ status }) => status === 'FAILURE'),
          [],
        );
      }
      assert.ok(checks.filter(({ status }) => status === 'SUCCESS').length > 20);
    });
  }
});
