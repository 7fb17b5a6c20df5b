/**
 * Tests the package touchline-client, packed and installed into an empty project, with the whole service, on the
 * current Node.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { type GuideService, startGuideService } from '../guides/guide-code.ts';
import { checkReceiver, SECRET } from '../guides/receivers.ts';
import { launchChromium } from '../support/chromium.ts';
import { buildClientPackage } from '../support/client-package.ts';
import { until } from '../support/until.ts';

/** Maximum compressed size of the package's JavaScript, for both entries together. */
const MAX_GZIPPED_BYTES = 12_000;
const hasWebSocket = 'WebSocket' in globalThis;
const TSC = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');

describe('the package touchline-client', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'touchline-client-'));
  const project = mkdtempSync(join(tmpdir(), 'touchline-client-user-'));
  const installed = join(project, 'node_modules/touchline-client');
  let service: GuideService;
  /** The README's code blocks, in order. */
  let readme: string[];
  before(async () => {
    const tarball = await buildClientPackage(join(folder, 'client'));
    writeFileSync(join(project, 'package.json'), '{"name": "user", "private": true, "type": "module"}');
    const install = ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball];
    execFileSync('npm', install, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
    readme = [...readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/```(?:js|html)\n(.*?)```/gs)].map(
      ([, code]) => code!,
    );
    service = await startGuideService();
    await service.reportResult();
    await score();
  });
  after(async () => {
    await service?.stop();
    for (const one of [folder, project]) rmSync(one, { recursive: true, force: true });
  });

  let goals = -1;
  /** Adds a goal for Argentina. The first call also starts the match. */
  async function score(): Promise<void> {
    goals += 1;
    await service.report([goals, 0], goals + 1);
  }
  const write = (name: string, text: string) => writeFileSync(join(project, name), text);
  const start = (name: string, env: Record<string, string> = {}) => service.start(name, { cwd: project, env });
  const run = (name: string, env: Record<string, string> = {}) => service.run(name, { cwd: project, env });
  const link = (name: string) => {
    const target = join(project, 'node_modules', name);
    rmSync(target, { force: true });
    symlinkSync(resolve('node_modules', name), target);
  };

  it('has no dependencies, only files from this repository, and a size suitable for pages', () => {
    const { dependencies, version, type } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const own = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.deepEqual([dependencies, version, type], [undefined, own.version, 'module']);
    assert.deepEqual(
      readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['touchline-client'],
    );
    const files = readdirSync(installed).filter((name) => /\.[jt]s$/.test(name));
    const texts = files.map((name) => readFileSync(join(installed, name), 'utf8'));
    for (const text of texts) assert.doesNotMatch(text, /from ['"](?!\.\/[\w-]+\.js['"]|node:crypto['"])/);
    assert.doesNotMatch(texts.join(''), /\bzod\b|require\(/);
    const scripts = files.filter((name) => name.endsWith('.js'));
    assert.deepEqual(scripts, ['touchline.js', 'webhook.js']);
    const bytes = scripts.map((name) => gzipSync(readFileSync(join(installed, name))).length);
    assert.ok(bytes.reduce((sum, one) => sum + one) < MAX_GZIPPED_BYTES, bytes.join());
    assert.doesNotMatch(readFileSync(join(installed, 'touchline.js'), 'utf8'), /node:/);
  });

  it('works as in its README: goals arrive as they happen', async () => {
    write('goals.mjs', readme[0]!);
    const program = start('goals.mjs');
    await program.until(/^live/m);
    await score();
    await program.until(/^match\.goal Argentina 1 0 France$/m);
    await program.stop();
  });

  it('works as in its README: a killed program continues from its position and misses no event', async () => {
    write('resume.mjs', readme[1]!);
    const first = start('resume.mjs');
    await first.until(/^match \d+ live$/m);
    await until('the position is stored', () => readdirSync(project).includes('position.json'));
    await score();
    await first.until(/^event evt_/m);
    await first.stop();
    await score();
    await score();
    const second = start('resume.mjs');
    const ids = () => new Set(`${first.output()}${second.output()}`.match(/^event evt_\d+_\d+$/gm));
    await until('three goals', () => ids().size === 3, 20_000);
    assert.doesNotMatch(second.output(), /^match /m);
    await second.stop();
  });

  it('works as in its README: REST', async () => {
    write('rest.mjs', readme[2]!);
    const { code, out, err } = await run('rest.mjs');
    assert.equal(code, 0, err);
    assert.equal(out, 'Cup of the Guides\n2 matches\n404 not_found\n');
    const refused = await run('rest.mjs', { TOUCHLINE_KEY: 'sk_live_wrong' });
    assert.match(refused.err, /ApiError: 401 key_invalid/);
  });

  it('works as in its README: a webhook receiver', async () => {
    write('receiver.mjs', readme[3]!);
    const receiver = start('receiver.mjs', { WEBHOOK_SECRET: SECRET, PORT: '0' });
    await checkReceiver(receiver);
    await receiver.stop();
  });

  it('uses the built-in WebSocket on Node 22 and later, and the package ws on Node 20', async () => {
    link('ws');
    write(
      'socket.mjs',
      `import { openStream } from 'touchline-client';
const { WebSocket } = process.env.USE_WS ? await import('ws') : {};
const { TOUCHLINE_URL: url, TOUCHLINE_KEY: key } = process.env;
const onState = ({ phase, reason }) => console.log(phase, reason ?? '');
const stream = openStream({ url, key, transport: 'websocket', WebSocket, onState, onEvent: ({ type }) => console.log(type) });
await stream.done;`,
    );
    const environments: Record<string, string>[] = [{ USE_WS: '1' }, ...(hasWebSocket ? [{}] : [])];
    for (const env of environments) {
      const program = start('socket.mjs', env);
      await program.until(/^live/m);
      await score();
      await program.until(/^match\./m);
      await program.stop();
    }
    if (!hasWebSocket) assert.match((await run('socket.mjs')).err, /no WebSocket available: pass one/);
    assert.match(
      (await run('socket.mjs', { USE_WS: '1', TOUCHLINE_KEY: 'sk_live_wrong' })).out,
      /failed 4401 key_invalid/,
    );
  });

  describe('has types that', () => {
    const tsc = (name: string, compilerOptions: object): string => {
      const config = {
        compilerOptions: { strict: true, noEmit: true, skipLibCheck: false, ...compilerOptions },
        files: [name],
      };
      write('tsconfig.json', JSON.stringify(config));
      try {
        return String(execFileSync(process.execPath, [TSC, '-p', project], { stdio: 'pipe' }));
      } catch (error) {
        return String((error as { stdout: Buffer }).stdout);
      }
    };
    const BOTH = `
import { ApiError, createClient, openStream, type MatchDetail, type ReplyOf, type StreamEvent } from 'touchline-client';
const api = createClient({ url: 'https://sports.example.com', key: 'sk_live_x' });
export async function use(): Promise<void> {
  const match: MatchDetail = await api.get('/v1/event/{id}', { id: 1, blocks: ['incidents'] });
  const name: string = match.tournament;
  const sports: ReplyOf<'GET', '/v1/sports'> = await api.get('/v1/sports');
  for await (const page of api.pages('/v1/events', { sport: 'football' })) page.events.map(({ id }) => id.toFixed());
  const { id, secret } = await api.post('/v1/account/webhooks', { body: { url: 'https://fans.example/hook' } });
  await api.patch('/v1/account/webhooks/{id}', { id, body: { event_types: ['match.goal'] } });
  const nothing: undefined = await api.delete('/v1/account/webhooks/{id}', { id });
  // @ts-expect-error: there is no such path
  await api.get('/v1/nothing');
  // @ts-expect-error: it needs the id
  await api.get('/v1/event/{id}');
  // @ts-expect-error: a number
  await api.get('/v1/event/{id}', { id: 'x' });
  // @ts-expect-error: no sport
  await api.get('/v1/events', { sport: 'quidditch' });
  // @ts-expect-error: no parameter
  await api.get('/v1/events', { sprot: 'football' });
  // @ts-expect-error: nothing of this name in the reply
  sports.things;
  // @ts-expect-error: it has no such method
  await api.delete('/v1/sports');
  console.log(name, secret, nothing);
}
export const stream = openStream({
  url: 'https://sports.example.com',
  key: 'sk_live_x',
  onEvent: (event: StreamEvent) => console.log(event.type === 'match.goal', event.data.match.home.score, event.data.incident?.kind),
  onSync: (page) => console.log(page.events[0]?.status, page.deleted[0]?.reason),
});
export const codeOf = (error: unknown) => (error instanceof ApiError ? error.code === 'rate_limited' : false);
`;

    it('need the DOM and no Node types in a page', () => {
      write('page.ts', BOTH);
      assert.equal(tsc('page.ts', { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] }), '');
    });

    it('need Node types and no DOM types in Node', () => {
      for (const name of ['@types', 'undici-types', 'ws']) link(name);
      write(
        'node.ts',
        `${BOTH}
import { createServer } from 'node:http';
import { verifyWebhook } from 'touchline-client/webhook';
import { WebSocket } from 'ws';
openStream({ url: '', key: 'sk_live_x', WebSocket, transport: 'websocket', onEvent: () => {} });
createServer((request) => {
  const event = verifyWebhook(request.headers, Buffer.from(''), ['whsec_1', 'whsec_2']);
  if (event.type === 'webhook.ping') console.log(event.data.sent_at.length);
  else if (event.type === 'webhook.disabled') console.log(event.data.cursor.toFixed());
  else if (event.type === 'webhook.failing' || event.type === 'webhook.recovered') console.log(event.data.host.length);
  else if (event.type === 'account.changed') console.log(event.data.action.length, event.data.cursor.toFixed());
  else if (event.type !== 'webhook.test' && event.type !== 'webhook.challenge') console.log(event.data.match.id.toFixed());
});
`,
      );
      const options = { target: 'es2022', lib: ['es2023'], module: 'nodenext', types: ['node'] };
      assert.equal(tsc('node.ts', options), '');
    });
  });

  describe('in a page on another site', () => {
    let browser: Browser;
    before(async function () {
      const launched = await launchChromium();
      if (launched === null) this.skip();
      browser = launched;
    });
    after(() => browser?.close());

    it('works as in its README: the page shows a goal, by the module from the service', async () => {
      const module = await fetch(`${service.url}/client/touchline.js`, { headers: { Origin: 'https://fans.example' } });
      assert.equal(module.status, 200);
      const header = (name: string) => module.headers.get(name);
      assert.equal(header('content-type'), 'text/javascript; charset=utf-8');
      assert.equal(header('cache-control'), 'public, max-age=3600');
      assert.equal(header('access-control-allow-origin'), '*');
      assert.equal(header('cross-origin-resource-policy'), 'cross-origin');
      const again = await fetch(module.url, { headers: { 'If-None-Match': header('etag')! } });
      assert.equal(again.status, 304);
      assert.ok(gzipSync(await module.text()).length < MAX_GZIPPED_BYTES);

      const html = readme[4]!
        .replaceAll('https://sports.example.com', service.url)
        .replace('pk_live_…', service.publishableKey);
      const site = createServer((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>${html}`);
      }).listen(0, '127.0.0.1');
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      try {
        // The page's host differs from the service's, so that its origin does too.
        await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
        await until('the page shows a goal', async () => {
          await score();
          return /^Argentina \d+:0 France$/.test((await page.locator('#score').textContent()) ?? '');
        });
        assert.deepEqual(faults, []);
      } finally {
        site.close();
        site.closeAllConnections();
      }
    });

    it('sends the key as a WebSocket subprotocol, and can use REST and sync', async () => {
      const page = await browser.newPage();
      await page.goto(`${service.url}/docs/guides`);
      const sockets: string[] = [];
      page.on('websocket', (socket) => sockets.push(socket.url()));
      const seen = await page.evaluate(
        `(async () => {
          const { createClient, openStream } = await import('/client/touchline.js');
          const options = { url: location.origin, key: ${JSON.stringify(service.publishableKey)} };
          const { events } = await createClient(options).get('/v1/sync', { limit: 1 });
          const reason = await createClient(options).get('/v1/account').catch((error) => error.code);
          const phase = await new Promise((resolve) => {
            const stream = openStream({ ...options, transport: 'websocket', onEvent() {}, onState({ phase }) {
              if (phase === 'connecting') return;
              resolve(phase);
              stream.close();
            } });
          });
          return [events.length, reason, phase];
        })()`,
      );
      assert.deepEqual(seen, [1, 'key_not_permitted', 'live']);
      assert.equal(sockets.length, 1);
      assert.doesNotMatch(sockets[0]!, /key/);
    });
  });
});
