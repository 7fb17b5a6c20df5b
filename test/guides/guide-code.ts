/**
 * Runs the service with a few matches, and the code in its guides as programs. The code is taken from the pages and run
 * as a reader would run it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { type Running, readRoleConfig, serve } from '../../src/main.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase } from '../support/database.ts';
import { TSX } from '../support/tsx.ts';

const FEED_TOKEN = 'feed-token-of-the-guides';
const EMAIL = 'reader@example.com';
/** Timeout for a program to print the expected text. */
const PATIENCE_MS = 20_000;
const GUIDES = ['quick-start', 'streaming', 'webhooks', 'agents', 'limits'];

export interface Output {
  code: number | null;
  out: string;
  err: string;
}

export interface Started {
  /**
   * Waits until the output matches, and resolves with the match.
   * @throws if the program ends before that
   */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  output(): string;
  stop(): Promise<void>;
}

export interface Program {
  env?: Record<string, string>;
  args?: readonly string[];
  /** Options of Node. */
  node?: readonly string[];
  /** Working folder. By default it is the folder with the examples. */
  cwd?: string;
}

export interface GuideService {
  running: Running;
  url: string;
  key: string;
  publishableKey: string;
  /** The examples' code, by its name in the pages. */
  examples: ReadonlyMap<string, string>;
  folder: string;
  /** Reports Argentina's result from a different day. */
  reportResult(): Promise<void>;
  /** Reports a state of the match between Argentina and France, as a provider does. */
  report(score: [number, number], minute: number): Promise<void>;
  /**
   * Runs a program until it ends.
   * @param file the code's name in the pages
   */
  run(file: string, program?: Program): Promise<Output>;
  start(file: string, program?: Program): Started;
  stop(): Promise<void>;
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

async function readExamples(url: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const guide of GUIDES) {
    const text = await (await fetch(`${url}/docs/guides/${guide}`)).text();
    for (const [, file, code] of text.matchAll(/<pre[^>]* data-example="([^"]+)"><code>([\s\S]*?)<\/code>/g))
      found.set(file!, unescaped(code!));
  }
  return found;
}

export async function startGuideService(env: Record<string, string> = {}): Promise<GuideService> {
  const db = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'touchline-guides-'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const config = await readRoleConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
      SECRET_KEY: 'secret-of-the-guides',
      FEED_TOKEN,
      DATABASE_URL: db.url,
      // An address where nothing listens, since the guides need no ClickHouse.
      CLICKHOUSE_URL: 'http://127.0.0.1:9',
      WEBHOOK_ALLOW: 'http://127.0.0.1:*',
      ...env,
    },
    'all',
  );
  const running = await serve(config, pino({ level: 'silent' }), { role: 'all' });
  const { pool, clock } = running.deps;
  const url = running.address!;
  const { key } = await createKey(pool, clock, { email: EMAIL, plan: 'pro' });
  const publishable = await createKey(pool, clock, { email: EMAIL, plan: 'pro', kind: 'pk' });
  const examples = await readExamples(url);
  for (const [file, code] of examples) writeFileSync(join(folder, file), `${code}\n`);

  const command = (file: string, { node = [], args = [] }: Program): [string, string[]] => {
    if (file.endsWith('.sh')) return ['bash', [file, ...args]];
    if (file.endsWith('.py')) return ['python3', [file, ...args]];
    return [process.execPath, [...(file.endsWith('.ts') ? TSX : []), '--no-warnings', ...node, file, ...args]];
  };
  const surroundings = ({ env: own = {}, cwd = folder }: Program) => ({
    cwd,
    env: { PATH: process.env.PATH, HOME: '/tmp', TOUCHLINE_URL: url, TOUCHLINE_KEY: key, ...own },
  });
  const children = new Set<ChildProcess>();
  const sent = { observed: Date.now() };

  return {
    running,
    url,
    key,
    publishableKey: publishable.key,
    examples,
    folder,
    reportResult: () => feed(url, sent.observed, RESULT),
    async report(score, minute) {
      sent.observed = Math.max(sent.observed + 1, Date.now());
      await feed(url, sent.observed, liveMatch(score, minute));
    },
    run(file, program = {}) {
      const [name, args] = command(file, program);
      return new Promise((done) => {
        const options = { ...surroundings(program), timeout: PATIENCE_MS };
        execFile(name, args, options, (error, out, err) => {
          done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : null, out, err });
        });
      });
    },
    start(file, program = {}) {
      const [name, args] = command(file, program);
      const child = spawn(name, args, { ...surroundings(program), detached: true });
      children.add(child);
      return following(child);
    },
    async stop() {
      for (const child of children) killGroup(child);
      await running.stop();
      await db.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Kills the process and its children. Otherwise a curl that was started by a shell would keep running. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

/** @param child a process that was started with `detached` */
export function following(child: ChildProcess): Started {
  let text = '';
  const look = new Set<() => void>();
  for (const output of [child.stdout, child.stderr])
    output?.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      for (const one of look) one();
    });
  const gone = new Promise<void>((done) => child.once('close', () => done()));
  return {
    output: () => text,
    until: (pattern) =>
      new Promise((done, fail) => {
        const timer = setTimeout(() => fail(new Error(`no ${pattern} in: ${text}`)), PATIENCE_MS);
        const one = () => {
          const match = pattern.exec(text);
          if (match === null) return;
          clearTimeout(timer);
          look.delete(one);
          done(match);
        };
        look.add(one);
        one();
        void gone.then(() => fail(new Error(`ended before ${pattern}: ${text}`)));
      }),
    async stop() {
      killGroup(child);
      await gone;
    },
  };
}

const common = { schema: 1, kind: 'match', provider: 'live' };
const sides = { home: { name: 'Argentina', country: 'AR' }, away: { name: 'France', country: 'FR' } };
const league = { sport: 'football', tournament: { name: 'Cup of the Guides', country: 'INT' } };

const RESULT = {
  ...common,
  match: {
    id: 'guides-result',
    ...league,
    home: { name: 'Croatia', country: 'HR' },
    away: sides.home,
    season: { label: '2026' },
    scheduled_start: '2022-12-13T19:00:00Z',
    status: 'finished',
    status_detail: 'ended',
    score: { home: 0, away: 3 },
  },
};

/** Makes a match in which each point of the score has a goal. */
function liveMatch([home, away]: [number, number], minute: number): object {
  const incidents = [...Array(home).fill('home'), ...Array(away).fill('away')].map((side, index) => ({
    id: `g${index}-${side}`,
    minute: index + 1,
    period: '1H',
    kind: 'goal',
    side,
    player: { name: `Scorer ${index}` },
    payload: { goal_type: 'regular' },
  }));
  return {
    ...common,
    match: {
      id: 'guides-live',
      ...league,
      ...sides,
      season: { label: '2026' },
      scheduled_start: new Date(Date.now() - 3_600_000).toISOString(),
      status: 'live',
      status_detail: 'in_play',
      minute,
      score: { home, away },
      incidents,
    },
  };
}

async function feed(url: string, observed: number, update: object): Promise<void> {
  const reply = await fetch(`${url}/feed/v1/updates`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...update, observed_at: new Date(observed).toISOString() }),
  });
  const text = await reply.text();
  if (!reply.ok || JSON.parse(text).rejected.length > 0) throw new Error(text);
}

/** Returns a guide's page as bytes. */
export const shown = ({ folder }: GuideService, file: string) => readFileSync(join(folder, file), 'utf8');
