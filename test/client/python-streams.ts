/** Tests what the Python client guarantees for streams, while connections, services and the program itself end. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import { openBalancer } from '../support/balancer.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { killAll, podEnv, startPod } from '../support/pods.ts';
import { randomNumbers } from '../support/random.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const PROGRAM = resolve('test/client/python/follow.py');
const PATIENCE_MS = 30_000;
const MODES = ['sync', 'async'] as const;
type Mode = (typeof MODES)[number];
const routes = [...streamRoutes, ...matchRoutes];
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ match: (index % 7) + 1 }));
const idOf = (envelope: string) => JSON.parse(envelope).id as string;

interface Python {
  command: string;
  env: Record<string, string>;
}

interface Options {
  /** Folder for files that store positions. */
  folder: string;
  /** Returns the Python to use. It is called when a test begins. */
  python(): Python;
  /** Number of transactions that are written while connections are cut. */
  rounds: number;
  kills: number;
}

/** A program that follows a stream. */
interface Following {
  child: ChildProcess;
  lines(kind: 'event' | 'state' | 'refused' | 'matches'): string[];
  output(): string;
  live(): Promise<void>;
  got(count: number): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

function followInPython({ command, env }: Python, args: readonly string[]): Following {
  const child = spawn(command, [PROGRAM, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'close');
  const lines: Following['lines'] = (kind) =>
    output
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith(`${kind} `))
      .map((line) => line.slice(kind.length + 1).trim());
  const wait = async (what: string, holds: () => boolean) => {
    await until(what, () => holds() || child.exitCode !== null, PATIENCE_MS).catch((error) => {
      throw new Error(`${error}: ${lines('event').length} events, …${output.slice(-1_000)}`);
    });
    assert.ok(holds(), `it ended before ${what}: …${output.slice(-2_000)}`);
  };
  return {
    child,
    lines,
    output: () => output,
    live: () => wait('it is live', () => lines('state').includes('live')),
    got: (count) => wait(`${count} events`, () => lines('event').length >= count),
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}

/** Tests both clients at once: the one for threads, and the one for asyncio. */
export function checkStreams({ folder, python, rounds, kills }: Options): void {
  describe('in its streams', () => {
    let service: Service;
    let files = 0;
    const open: Following[] = [];
    before(async () => {
      service = await startService({ routes });
    });
    after(() => service?.close());
    afterEach(async () => {
      for (const one of open.splice(0)) await one.kill();
    });

    const follow = (mode: Mode, url: string, env: Record<string, string> = {}, file?: string): Following => {
      const { command, env: own } = python();
      const all = { TOUCHLINE_URL: url, TOUCHLINE_KEY: service.app.key, ...own, ...env };
      const one = followInPython({ command, env: all }, [mode, ...(file === undefined ? [] : [file])]);
      open.push(one);
      return one;
    };
    const head = () => service.deps.hub.head();

    it('loses and repeats nothing while connections end at random bytes and the service restarts at a new port', async () => {
      const random = randomNumbers(5);
      const proxy = await startCuttingProxy(service.app.port);
      try {
        const programs = MODES.map((mode) => follow(mode, proxy.url));
        for (const program of programs) await program.live();
        proxy.cutAfter(() => 300 + Math.floor(random() * 15_000));
        proxy.cut();
        const published: string[] = [];
        for (let round = 0; round < rounds; round += 1) {
          published.push(...(await service.publish(...many(25))));
          await sleep(50);
        }
        await service.stop();
        service = await startService({ db: service.db, routes });
        published.push(...(await service.publish({ match: 91 }, { match: 92 })));
        proxy.leadTo(service.app.port);
        proxy.cutAfter(null);
        for (const program of programs) {
          await program.got(published.length);
          assert.deepEqual(program.lines('event'), published.map(idOf));
        }
        assert.ok(proxy.cuts() >= 6, `${proxy.cuts()} cuts`);
      } finally {
        for (const one of open.splice(0)) await one.kill();
        await proxy.close();
      }
    });

    it('continues after a kill -9 with the first unhandled event, through replay', async () => {
      const start = { CURSOR: String(head()) };
      const published = (await service.publish(...many(1_300))).map(idOf);
      const check = async (mode: Mode) => {
        const file = resolve(folder, `position-${mode}-${files++}.json`);
        const seen: string[] = [];
        for (let kill = 0; kill < kills; kill += 1) {
          const after = String(1 + ((kill * 97) % Math.floor(1_200 / kills)));
          const program = follow(mode, service.app.url, { ...start, KILL_AFTER: after }, file);
          await once(program.child, 'close');
          assert.equal(program.child.signalCode, 'SIGKILL', program.output().slice(-1_000));
          seen.push(...program.lines('event'));
        }
        const last = follow(mode, service.app.url, start, file);
        await until('all', () => new Set([...seen, ...last.lines('event')]).size >= published.length, PATIENCE_MS);
        await last.kill();
        seen.push(...last.lines('event'));
        const firsts = seen.filter((id, index) => seen.indexOf(id) === index);
        assert.deepEqual(firsts, published, 'each once and in order');
        assert.equal(seen.length - published.length, kills, 'only the one at hand at a kill comes again');
      };
      await Promise.all(MODES.map(check));
    });

    it('raises an error with the reason if the service refuses a stream', async () => {
      const cases = [
        ['sync', { TOUCHLINE_KEY: 'sk_live_wrong' }, /^401 key_invalid /],
        ['async', { TOUCHLINE_KEY: 'sk_live_wrong' }, /^401 key_invalid /],
        ['sync', { EVENT_TYPE: 'match.nothing' }, /^422 invalid_parameter event_type: /],
      ] as const;
      const check = async ([mode, env, pattern]: (typeof cases)[number]) => {
        const program = follow(mode, service.app.url, env);
        await until('it ends', () => program.child.exitCode !== null, PATIENCE_MS);
        assert.match(program.lines('refused')[0] ?? '', pattern, program.output());
      };
      await Promise.all(cases.map(check));
    });

    it('begins at the end of the log if its position is beyond that end, and reads the matches with on_sync', async () => {
      const ahead = { CURSOR: '9000000' };
      const plain = follow('sync', service.app.url, ahead);
      const copying = follow('async', service.app.url, { ...ahead, SYNC: '1' });
      await until('it is live at the head', () => /skipped ahead.*live/s.test(plain.output()), PATIENCE_MS);
      await until('it is live at the head', () => /syncing.*live/s.test(copying.output()), PATIENCE_MS);
      assert.deepEqual(copying.lines('matches'), ['0 False']);
      const published = await service.publish({ match: 93 });
      for (const program of [plain, copying]) {
        await program.got(1);
        assert.deepEqual(program.lines('event'), published.map(idOf));
      }
    });
  });
}

/** @param python returns the Python to use; it is called when the test begins */
export function checkKills(python: () => Python, kills: number): void {
  it('loses and repeats nothing in its streams while service processes are killed', async () => {
    const service = await startService();
    const env = podEnv(service.db.url);
    const pods = [await startPod('stream', env), await startPod('stream', env)];
    const ports = pods.map(({ port }) => port);
    const balancer = await openBalancer(ports);
    const { command, env: own } = python();
    const all = { TOUCHLINE_URL: balancer.url, TOUCHLINE_KEY: service.app.key, ...own };
    const programs = MODES.map((mode) => followInPython({ command, env: all }, [mode]));
    try {
      for (const program of programs) await program.live();
      const published: string[] = [];
      for (let kill = 0; kill < kills; kill += 1) {
        published.push(...(await service.publish(...many(200))));
        await pods[kill % 2]!.kill();
        published.push(...(await service.publish(...many(100))));
        pods[kill % 2] = await startPod('stream', env);
        ports[kill % 2] = pods[kill % 2]!.port;
        published.push(...(await service.publish(...many(100))));
      }
      for (const program of programs) {
        await program.got(published.length);
        assert.deepEqual(program.lines('event'), published.map(idOf));
        assert.ok(program.lines('state').filter((phase) => phase === 'live').length > 1, 'it has reconnected');
      }
    } finally {
      for (const program of programs) await program.kill();
      await balancer.close();
      await killAll(pods);
      await service.close();
    }
  });
}
