/**
 * Tests clients that generators make from the API document. Each client is compiled, and sends requests to the running
 * service.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';
import { leavesOf, listOperations, type Operation } from './operations.ts';
import {
  copyTypeScript,
  installPythonClient,
  missingOf,
  oapiCodegen,
  openApiGenerator,
  pythonTools,
  run,
  SOURCES,
} from './toolbox.ts';

/** An id that needs more than the 32 bits that a careless generator uses. */
const MISSING_EVENT = Number.MAX_SAFE_INTEGER;

describe('generated clients', function () {
  this.timeout(900_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let service: SampleService;
  let folder: string;
  let document: string;
  let env: Record<string, string>;
  let expected: JsonObject;
  let operations: Operation[];

  before(async () => {
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    service = await startSampleService({ DATABASE_URL: db.url, CLICKHOUSE_URL: clickhouse.url });
    folder = mkdtempSync(join(tmpdir(), 'touchline-clients-'));
    const idOf = (path: string) => /\d+/.exec(service.targetOf({ path }))![0];
    env = {
      TOUCHLINE_URL: service.url,
      TOUCHLINE_KEY: service.key,
      TOURNAMENT: idOf('/tournament/{id}'),
      EVENT: idOf('/event/{id}'),
      OPERATIONS: join(folder, 'operations.json'),
    };
    for (const name of ['openapi', 'asyncapi'])
      writeFileSync(join(folder, `${name}.json`), await (await fetch(`${service.url}/v1/${name}.json`)).text());
    document = join(folder, 'openapi.json');
    expected = await answers();
    operations = await listOperations(JSON.parse(readFileSync(document, 'utf8')), service);
    writeFileSync(env.OPERATIONS!, JSON.stringify(operations));
  });
  after(async () => {
    await service?.stop();
    await clickhouse?.stop();
    await db?.drop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** Returns the values that each client has to print. They come from plain requests. */
  async function answers(): Promise<JsonObject> {
    // biome-ignore lint/suspicious/noExplicitAny: the schemas are checked elsewhere.
    const get = async (path: string): Promise<any> =>
      (await fetch(service.url + path, { headers: { 'X-API-Key': service.key } })).json();
    const list = await get(`/v1/events?tournament=${env.TOURNAMENT}&from=2024-01-01&limit=5`);
    const detail = await get(`/v1/event/${env.EVENT}`);
    const standings = await get(`/v1/tournament/${env.TOURNAMENT}/standings`);
    const found = {
      ids: list.events.map(({ id }: { id: number }) => id),
      home: detail.participants[0].name,
      score: detail.participants[0].score,
      incidents: detail.incidents.length,
      leader: standings.table[0].name,
      points: standings.table[0].points,
      missing: (await get(`/v1/event/${MISSING_EVENT}`)).code,
    };
    assert.equal(found.ids.length, 5);
    assert.ok(found.home.length > 0 && found.score >= 0 && found.incidents > 5 && found.points > 10);
    assert.equal(found.missing, 'not_found');
    return found;
  }

  interface Answer {
    status: number | null;
    reply?: Json;
  }

  /**
   * Compares the last line that a client's program prints, without Maven's colours.
   * @returns the client's answers to all operations
   */
  function check({ out }: { out: string }): Record<string, Answer> {
    const line = stripVTControlCharacters(out).trim().split('\n').at(-1)!;
    const { answers, ...found } = JSON.parse(line);
    assert.deepEqual(found, expected);
    return answers;
  }

  /**
   * Checks that a client has called every operation, except those that its generator leaves out, and that no value was
   * lost.
   */
  function checkAll(answers: Record<string, Answer>, omitted: readonly string[] = [], hasValues = true): void {
    assert.ok(operations.length > 70, 'the document has lost its operations');
    for (const { id, status, reply } of operations.filter((one) => !omitted.includes(one.id))) {
      assert.equal(answers[id]?.status, status, `${id}: ${JSON.stringify(answers[id])}`);
      if (reply === null) continue;
      if (hasValues) assert.deepEqual(leavesOf(answers[id]!.reply ?? null), leavesOf(reply), id);
      else assert.ok(answers[id]!.reply, id);
    }
  }

  /** Defines a test that is skipped, with a message, if this machine lacks a command. */
  function withCommands(commands: readonly string[], title: string, test: (target: string) => Promise<void>): void {
    it(title, async function () {
      const missing = missingOf(commands);
      if (missing.length > 0) {
        console.warn(`      SKIPPED, because this machine has no ${missing.join(' and no ')}: ${title}`);
        this.skip();
      }
      await test(mkdtempSync(join(folder, 'client-')));
    });
  }

  withCommands(['go'], 'oapi-codegen (Go)', async (target) => {
    mkdirSync(join(target, 'client'));
    cpSync(join(SOURCES, 'oapi-codegen'), target, { recursive: true });
    await oapiCodegen(document, join(target, 'client', 'client.go'));
    await run('go', ['vet', './...'], { cwd: target });
    checkAll(check(await run('go', ['run', '.'], { cwd: target, env })));
  });

  withCommands(['go', 'java', 'python3'], 'openapi-generator (Go)', async (target) => {
    const names = ['--git-host', 'github.com', '--git-user-id', 'example', '--git-repo-id', 'touchline'];
    const types = ['--type-mappings', 'number=float64'];
    await openApiGenerator('go', document, target, ...names, '-p', 'packageName=touchline', ...types);
    mkdirSync(join(target, 'program'));
    for (const file of ['go.mod', 'go.sum']) cpSync(join(SOURCES, 'openapi-generator-go', file), join(target, file));
    cpSync(join(SOURCES, 'openapi-generator-go', 'main.go'), join(target, 'program', 'main.go'));
    await run('go', ['vet', '.', './program'], { cwd: target });
    check(await run('go', ['run', './program'], { cwd: target, env }));
  });

  withCommands(['java', 'mvn', 'python3'], 'openapi-generator (Java)', async (target) => {
    await openApiGenerator('java', document, target, '-p', 'useSingleRequestParameter=true');
    cpSync(join(SOURCES, 'openapi-generator-java', 'Main.java'), join(target, 'src/main/java/Main.java'));
    await run('mvn', ['-q', '-B', '-DskipTests', 'compile'], { cwd: target });
    const program = ['org.codehaus.mojo:exec-maven-plugin:3.5.0:java', '-Dexec.mainClass=Main'];
    check(await run('mvn', ['-q', '-B', ...program], { cwd: target, env }));
  });

  withCommands(['python3'], 'openapi-python-client', async (target) => {
    const tools = await pythonTools();
    // Makes the changes that docs/generated-clients.md recommends.
    const readable = JSON.parse(readFileSync(document, 'utf8'));
    const { required } = readable.components.schemas.FormBlock;
    required.splice(required.indexOf('d'), 1);
    writeFileSync(join(target, 'openapi.json'), JSON.stringify(readable));
    writeFileSync(join(target, 'config.yml'), 'literal_enums: true');
    const source = ['--path', join(target, 'openapi.json'), '--config', join(target, 'config.yml')];
    const made = [...source, '--meta', 'none', '--output-path', join(target, 'touchline_client')];
    const { all } = await run('python3', ['-m', 'openapi_python_client', 'generate', ...made], { env: tools });
    // The generator leaves out pictures and NDJSON, but no model.
    assert.deepEqual(
      all.split('\n').filter((line) => /^(ERROR|WARNING|Unable|Attempted|Failure)/.test(line)),
      [
        'WARNING parsing GET /v1/participant/{id}/image within catalogue.',
        'WARNING parsing GET /v1/account/events/export within account.',
        'WARNING parsing POST /feed/v1/updates within feed.',
        'WARNING parsing POST /feed/v1/updates within feed.',
      ],
    );
    cpSync(join(SOURCES, 'python', 'openapi_python_client.py'), join(target, 'program.py'));
    checkAll(check(await run('python3', ['program.py'], { cwd: target, env: { ...tools, ...env } })), [
      'getParticipantImageById',
      'postFeedUpdates',
    ]);
  });

  withCommands(['java', 'python3'], 'openapi-generator (Python)', async (target) => {
    await openApiGenerator('python', document, target);
    cpSync(join(SOURCES, 'python', 'openapi_generator.py'), join(target, 'program.py'));
    checkAll(check(await run('python3', ['program.py'], { cwd: target, env: { ...(await pythonTools()), ...env } })));
  });

  withCommands(['python3'], 'touchline (Python), the package of this repository', async (target) => {
    const python = await installPythonClient(target);
    check(await run(python, [join(SOURCES, 'python', 'package.py')], { env }));
  });

  withCommands(['npm'], 'openapi-typescript and openapi-fetch', async (target) => {
    await copyTypeScript(target);
    rmSync(join(target, 'openapi-generator.ts'));
    await run('npx', ['openapi-typescript', document, '-o', 'schema.d.ts'], { cwd: target });
    await run('npx', ['tsc', '-p', '.'], { cwd: target });
    checkAll(check(await run('node', ['out/openapi-fetch.js'], { cwd: target, env })));
  });

  withCommands(['npm', 'java', 'python3'], 'openapi-generator (TypeScript)', async (target) => {
    await copyTypeScript(target);
    rmSync(join(target, 'openapi-fetch.ts'));
    // Leaves out the file for webhooks, which does not compile and which nothing imports.
    const options = ['-p', 'importFileExtension=.js', '--openapi-generator-ignore-list', 'apis/WebhookEventsApi.ts'];
    await openApiGenerator('typescript-fetch', document, join(target, 'client'), ...options);
    await run('npx', ['tsc', '-p', '.'], { cwd: target });
    // Values are not compared. The generated models omit `false` where a schema or `false` is allowed, and repeat members of open objects.
    checkAll(check(await run('node', ['out/openapi-generator.js'], { cwd: target, env })), [], false);
  });

  withCommands(['java', 'python3'], 'openapi-generator (Dart), generated', async (target) => {
    await openApiGenerator('dart', document, target);
    const models = readdirSync(join(target, 'lib', 'model'));
    for (const name of ['match_detail.dart', 'standings.dart', 'feed_update.dart']) assert.ok(models.includes(name));
  });

  withCommands(['dart', 'java', 'python3'], 'openapi-generator (Dart), analyzed', async (target) => {
    await openApiGenerator('dart', document, target);
    await run('dart', ['pub', 'get'], { cwd: target });
    await run('dart', ['analyze', '--no-fatal-warnings', 'lib'], { cwd: target });
  });

  withCommands(['npm'], 'redocly finds no error in the document', async (target) => {
    await copyTypeScript(target);
    await run('npx', ['redocly', 'lint', '--extends', 'recommended', document], { cwd: target });
  });

  withCommands(['npm'], '@asyncapi/parser finds no fault in the AsyncAPI document', async (target) => {
    await copyTypeScript(target);
    const { out } = await run('node', ['parse-asyncapi.js', join(folder, 'asyncapi.json')], { cwd: target });
    // Only faults matter. The parser also reports that newer versions of the format exist.
    assert.deepEqual(
      (JSON.parse(out) as { severity: number }[]).filter(({ severity }) => severity < 2),
      [],
    );
  });
});
