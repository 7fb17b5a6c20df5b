import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventWriter } from '../support/events.ts';
import { pythonPackages } from '../support/python-packages.ts';
import { until } from '../support/until.ts';
import { type GuideService, shown, startGuideService } from './guide-code.ts';
import { checkReceiver, requests, SECRET } from './receivers.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasPythonLibrary = hasPython && spawnSync('python3', ['-c', 'import standardwebhooks']).status === 0;
/** Compiling Go takes a minute, so test/cluster/guide-code-go.test.ts tests these. */
const TRIED_ELSEWHERE = ['receive.go', 'standard.go'];

interface Match {
  participants: { name: string }[];
}

describe('the guides’ code, run against the service', function () {
  this.timeout(60_000);
  let service: GuideService;
  const tried = new Set<string>(TRIED_ELSEWHERE);
  before(async () => {
    service = await startGuideService();
    await service.reportResult();
    await service.report([1, 0], 10);
  });
  after(() => service?.stop());

  const run = async (file: string, env: Record<string, string> = {}, args: string[] = []) => {
    tried.add(file);
    const { code, out, err } = await service.run(file, { env, args });
    assert.equal(code, 0, `${file}: ${out}${err}`);
    return out;
  };
  const start = (file: string, program = {}) => {
    tried.add(file);
    return service.start(file, program);
  };
  const json = async (file: string, env: Record<string, string> = {}) => JSON.parse(await run(file, env));

  it('works in the quick start: the environment, lists, search and a match', async () => {
    writeFileSync(join(service.folder, 'print.sh'), '. ./environment.sh; echo "$TOUCHLINE_URL $TOUCHLINE_KEY"');
    tried.add('environment.sh');
    const printed = await run('print.sh');
    assert.equal(printed.trim(), `${service.url} sk_live_…`);
    const { events } = await json('first-request.sh');
    assert.ok(events.some(({ participants: [home] }: Match) => home!.name === 'Argentina'));
    const live = (await json('live.sh')).events[0];
    assert.equal(live.participants[0].name, 'Argentina');
    const { participants } = await json('search.sh');
    assert.equal(participants[0].name_i18n.en, 'Argentina');
    const env = { PARTICIPANT_ID: String(participants[0].id), MATCH_ID: String(live.id) };
    assert.equal((await json('matches-of-a-team.sh', env)).events[0].participants[0].name, 'Croatia');
    const match = await json('match.sh', env);
    assert.equal(match.id, live.id);
    assert.equal(match.incidents.length, 1);
  });

  it('works in the quick start: the program in TypeScript and Python', async () => {
    const file = 'results.ts';
    await assertResults(file);
    if (!hasPython) return console.warn('      skipped: there is no python3, results.py is not run');
    await assertResults('results.py');
    const unknown = await service.run(file, { args: ['Nobody-At-All-Of-This-Name'] });
    assert.match(unknown.err, /Nobody is called/);
  });
  async function assertResults(file: string) {
    assert.equal((await run(file)).trim(), '2022-12-13 Croatia 0 Argentina 3');
    const reply = await service.run(file, { env: { TOUCHLINE_KEY: 'sk_live_wrong' } });
    assert.notEqual(reply.code, 0);
    assert.match(reply.err, /401/);
  }

  it('works in the agents guide: the configurations name this service, and a tool answers by curl and by the SDK', async () => {
    writeFileSync(join(service.folder, 'claude'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const printed = await run('claude-code.sh', { PATH: `${service.folder}:${process.env.PATH}` });
    assert.ok(
      printed.includes(`\n${service.url}/mcp\n`) && printed.includes(`\nAuthorization: Bearer ${service.key}\n`),
    );
    tried.add('claude-desktop.json');
    const { args } = JSON.parse(service.examples.get('claude-desktop.json')!).mcpServers.touchline;
    assert.equal(args[2], `${service.url}/mcp`);
    assert.match(await run('call-tool.sh'), /Argentina/);
    const { events, cards } = await json('live-and-model.ts');
    assert.equal(events[0].participants[0].name, 'Argentina');
    // This service runs without ClickHouse.
    assert.equal(cards[0].error.code, 'unavailable');
  });

  it('works in the streaming guide: the same goal arrives by curl, by a WebSocket and in a browser’s EventSource', async () => {
    const curl = start('watch.sh');
    const socket = start('websocket.ts', {
      node: typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : [],
    });
    tried.add('browser.js');
    assert.match(shown(service, 'browser.js'), new RegExp(service.url));
    writeFileSync(
      join(service.folder, 'goals.js'),
      shown(service, 'browser.js').replace('pk_live_…', service.publishableKey),
    );
    const hasEventSource = process.allowedNodeEnvironmentFlags.has('--experimental-eventsource');
    const page = hasEventSource ? service.start('goals.js', { node: ['--experimental-eventsource'] }) : null;
    if (page === null) console.warn('      skipped: this Node has no EventSource, browser.js is not run');
    await curl.until(/: connected/);
    // The other programs do not say when they are connected, so goals are scored until each has seen one.
    let goals = 1;
    const seen = Promise.all([
      curl.until(/event: match\.goal\ndata: .*"Argentina"/),
      socket.until(/match\.goal Argentina \d+ 0 France/),
      page?.until(/Goal! Argentina \d+:0 France/),
    ]);
    const timer = setInterval(() => {
      goals += 1;
      void service.report([goals, 0], 10 + goals);
    }, 400);
    try {
      await seen;
    } finally {
      clearInterval(timer);
    }
    await Promise.all([curl.stop(), socket.stop(), page?.stop()]);
  });

  it('works in the streaming guide: replay and sync', async () => {
    const { events, has_more } = await json('replay.sh', { CURSOR: '0' });
    assert.ok(events.some(({ type }: { type: string }) => type === 'match.goal') && has_more === false);
    const first = await json('sync.sh');
    assert.ok(first.events.some(({ participants: [home] }: Match) => home!.name === 'Argentina'));
    assert.deepEqual((await json('sync.sh', { SYNC_CURSOR: first.next_cursor })).events, []);
  });

  it('works in the streaming guide: the tournament copy continues after a stop, and reads the changes after a gap', async () => {
    const follow = () => start('follow.ts', { args: ['1'] });
    await service.report([0, 0], 20);
    const first = follow();
    await first.until(/sync \d+ Argentina 0 France 0/);
    await service.report([1, 0], 21);
    await first.until(/match\.goal \d+ Argentina 1 France 0/);
    await first.stop();
    await service.report([2, 0], 22);
    const again = follow();
    await again.until(/match\.goal \d+ Argentina 2 France 0/);
    // The earlier goal may be repeated, since the program may have been killed before it stored its position.
    assert.doesNotMatch(again.output(), /sync/);
    await again.stop();

    const { stream, sync } = JSON.parse(shown(service, 'touchline-1.json'));
    // A cursor from a different log, which the service answers with a gap whose reason is `ahead`.
    writeFileSync(join(service.folder, 'touchline-1.json'), JSON.stringify({ stream: '9007199254740991', sync }));
    const restored = follow();
    await restored.until(/sync \d+ Argentina 2 France 0/);
    await restored.stop();
    assert.ok(Number(JSON.parse(shown(service, 'touchline-1.json')).stream) >= Number(stream));

    const refused = await service.run('follow.ts', { env: { TOUCHLINE_KEY: 'sk_live_wrong' } });
    assert.match(refused.err, /401/);
  });

  it('works in the streaming guide: the program in Python continues after a stop, after a crash and over a gap', async function () {
    tried.add('follow.py');
    const path = hasPython ? pythonPackages() : null;
    if (path === null) return this.skip();
    const env = { PYTHONPATH: path };
    const file = 'touchline.cursor';
    const first = start('follow.py', { env });
    await until('it has a position', () => existsSync(join(service.folder, file)));
    await service.report([3, 0], 23);
    await first.until(/^match\.goal evt_\d+_\d+ Argentina 3 0 France$/m);
    await first.stop();
    await service.report([4, 0], 24);
    const again = start('follow.py', { env });
    await again.until(/^match\.goal evt_\d+_\d+ Argentina 4 0 France$/m);
    await again.stop();
    // These are more events than a stream repeats, so the rest comes by replay.
    const { running } = service;
    const missed = Array.from({ length: 600 }, () => ({ match: 900 }));
    await eventWriter().write(running.deps.pool, missed);
    const behind = start('follow.py', { env });
    await behind.until(/^match\.goal evt_900_600 /m);
    const lines = behind.output().match(/evt_900_\d+/g)!;
    assert.deepEqual([lines.length, new Set(lines).size], [600, 600]);
    await behind.stop();
    // The position is as wrong as after months. The service names the oldest cursor, and the program replays or reports the gap.
    writeFileSync(join(service.folder, file), '9007199254740991');
    const restored = start('follow.py', { env });
    await restored.until(/missed events are gone/);
    await until('it has a position', () => Number(shown(service, file)) < 1_000_000);
    await service.report([5, 0], 25);
    await restored.until(/^match\.goal evt_\d+_\d+ Argentina 5 0 France$/m);
    await restored.stop();
    const refused = await service.run('follow.py', { env: { ...env, TOUCHLINE_KEY: 'sk_live_wrong' } });
    assert.deepEqual([refused.code, refused.err], [1, '401 /v1/stream\n']);
  });

  it('works in the webhooks guide: the receivers accept only signed requests, even during a rotation', async () => {
    const programs = ['receive.ts', ...(hasPython ? ['receive.py'] : [])];
    if (!hasPython) console.warn('      skipped: there is no python3, receive.py is not run');
    for (const file of programs) {
      const receiver = start(file, { env: { WEBHOOK_SECRET: SECRET, PORT: '0' } });
      await checkReceiver(receiver);
      await receiver.stop();
    }
    if (!hasPython) tried.add('receive.py');
  });

  it('works in the webhooks guide: the libraries accept and refuse the same requests', async () => {
    const cases = requests().map(([name, isGood, { body, headers }]) => {
      const lower = Object.entries(headers).map(([header, text]) => [header.toLowerCase(), text]);
      return { name, isGood, body: body.toString(), headers: Object.fromEntries(lower) };
    });
    writeFileSync(join(service.folder, 'cases.json'), JSON.stringify(cases));
    writeFileSync(
      join(service.folder, 'try-standard.ts'),
      `import { readFileSync } from 'node:fs';
import { verified } from './standard.ts';
for (const { headers, body } of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  try { console.log(verified(headers, Buffer.from(body)).type === 'match.goal'); } catch { console.log(false); }
}`,
    );
    writeFileSync(
      join(service.folder, 'try_standard.py'),
      `import json
from standard import verified
for case in json.load(open("cases.json")):
    try: print(str(verified(case["headers"], case["body"])["type"] == "match.goal").lower())
    except Exception: print("false")`,
    );
    tried.add('standard.ts').add('standard.py');
    const expected = cases.map(({ name, isGood }) => `${name}: ${isGood}`);
    const compare = (out: string) =>
      assert.deepEqual(
        out
          .trim()
          .split('\n')
          .map((line, index) => `${cases[index]!.name}: ${line}`),
        expected,
      );
    compare(await run('try-standard.ts', { WEBHOOK_SECRET: SECRET }));
    if (hasPythonLibrary) compare(await run('try_standard.py', { WEBHOOK_SECRET: SECRET }));
    else console.warn('      skipped: Python has no package standardwebhooks, standard.py is not run');
  });

  it('works in the webhooks guide: a subscription, a test event at the guide’s receiver, the log and a new secret', async function () {
    const listed = await fetch(`${service.url}/v1/account/webhooks`, { headers: { 'X-API-Key': service.key } });
    for (const file of ['subscribe.sh', 'test-event.sh', 'rotate.sh', 'deliveries.sh']) tried.add(file);
    if (listed.status === 404) {
      console.warn('      skipped: this service has no subscriptions over REST');
      return this.skip();
    }
    // The secret is created with the subscription, but the subscription needs the receiver's address first.
    const waiting = start('receive.ts', { env: { WEBHOOK_SECRET: SECRET, PORT: '0' } });
    const port = (await waiting.until(/listening on (\d+)/))[1]!;
    await waiting.stop();
    const env = { HOOK_URL: `http://127.0.0.1:${port}/` };
    const { id, secret } = await json('subscribe.sh', env);
    const repeated = await json('subscribe.sh', env);
    assert.deepEqual([repeated.id, repeated.secret], [id, undefined]);
    const receiver = start('receive.ts', { env: { WEBHOOK_SECRET: secret, PORT: port } });
    await receiver.until(/listening/);
    const tested = await json('test-event.sh', { WEBHOOK_ID: String(id) });
    assert.deepEqual([tested.delivered, tested.status], [true, 204]);
    await receiver.until(/webhook\.test/);
    await service.report([7, 0], 60);
    await receiver.until(/match\.goal/);
    const rotated = await json('rotate.sh', { WEBHOOK_ID: String(id) });
    assert.match(rotated.secret, /^whsec_/);
    assert.notEqual(rotated.secret, secret);
    assert.equal((await json('test-event.sh', { WEBHOOK_ID: String(id) })).delivered, true, 'by the old secret');
    // The log is saved twice a second.
    await until('the delivery is in the log', async () =>
      JSON.stringify(await json('deliveries.sh', { WEBHOOK_ID: String(id) })).includes('match.goal'),
    );
    await receiver.stop();
  });

  it('works in the webhooks guide: conditions, order, pace, a secret header, notices and a sample event', async () => {
    const waiting = start('receive.ts', { env: { WEBHOOK_SECRET: SECRET, PORT: '0' } });
    const port = (await waiting.until(/listening on (\d+)/))[1]!;
    await waiting.stop();
    const manage = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const reply = await fetch(`${service.url}/v1/account/webhooks${path}`, {
        method,
        headers: { 'X-API-Key': service.key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await reply.json()) as { id: number; secret: string };
    };
    // Paused until all is set, because a dispatcher notices a change only up to a second later.
    const wanted = { url: `http://127.0.0.1:${port}/`, event_types: ['match.goal'], paused: true };
    const { id, secret } = await manage('POST', '', wanted);
    const env = { WEBHOOK_ID: String(id) };
    const [preview, conditional] = (await run('conditions.sh', env)).split('\n');
    assert.ok(JSON.parse(preview!).examined > 0);
    assert.deepEqual(JSON.parse(conditional!).conditions, ['data.match.minute >= 80']);
    const { ordering, max_per_second, max_in_flight } = await json('order-and-pace.sh', env);
    assert.deepEqual([ordering, max_per_second, max_in_flight], ['match', 20, 4]);
    const { headers } = await json('headers.sh', { ...env, GATEWAY_TOKEN: 'not-to-be-shown' });
    assert.deepEqual(headers, [{ name: 'X-Gateway-Token', value: null, secret: true }]);
    const receiver = start('receive.ts', { env: { WEBHOOK_SECRET: secret, PORT: port } });
    await receiver.until(/listening/);
    await manage('PATCH', `/${id}`, { paused: false });
    // A minute before the condition's bound, and one after it.
    await service.report([8, 0], 79);
    await service.report([9, 0], 81);
    await receiver.until(/match\.goal .*"minute":81/);
    assert.doesNotMatch(receiver.output(), /"minute":79/);
    await receiver.stop();

    const notices = await json('notices.sh', { NOTICES_URL: `http://127.0.0.1:${port}/notices` });
    assert.deepEqual(notices.event_types, ['webhook.failing', 'webhook.disabled', 'webhook.recovered']);
    const watching = start('watch.sh');
    await watching.until(/: connected/);
    const sample = await json('trigger.sh');
    await watching.until(new RegExp(`"id":"${sample.id}".*"sample":true`));
    await watching.stop();
  });

  it('works in the webhooks guide: the sequence recognizes an event that comes again', async () => {
    tried.add('ordered.ts');
    writeFileSync(
      join(service.folder, 'try-ordered.ts'),
      `import { isNew } from './ordered.ts';
const event = (match: number, sequence: number) => ({ id: 'x', type: 'match.goal', data: { sequence, match: { id: match } } });
console.log([[1, 1], [1, 2], [2, 1], [1, 1], [1, 2], [1, 3]].map(([match, sequence]) => isNew(event(match!, sequence!))).join());
console.log(isNew({ id: 'x', type: 'webhook.ping', data: { subscription_id: 1 } } as never));`,
    );
    assert.equal(await run('try-ordered.ts'), 'true,true,true,false,false,true\ntrue\n');
  });

  it('works in the limits guide: the headers, a 304 reply and a client that waits', async () => {
    const headers = await run('rate-limit.sh');
    assert.match(headers, /^ratelimit-policy: "burst";q=20;w=1, "day";q=500000;w=86400\r?$/im);
    assert.match(headers, /^ratelimit: "burst";r=\d+;t=\d+, "day";r=\d+;t=\d+\r?$/im);
    assert.equal((await run('not-modified.sh')).trim(), '304');
    assert.equal((await run('patient.ts')).trim(), '25 replies');
  });

  it('includes no code block without a test', () => {
    assert.ok(service.examples.size >= 20, `${service.examples.size} found`);
    assert.deepEqual(
      [...service.examples.keys()].filter((file) => !tried.has(file)),
      [],
    );
  });
});
