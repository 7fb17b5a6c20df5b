/**
 * Accounts over real HTTP: the API and the pages, with a browser's cookies, a clock that tests advance, and a mailbox.
 */

import { stringify } from 'node:querystring';
import type pg from 'pg';
import { pino } from 'pino';
import { routes as accountRoutes } from '../../src/accounts/api/routes.ts';
import { accountVariables } from '../../src/accounts/config.ts';
import { findMember } from '../../src/accounts/credentials/sessions.ts';
import type { Letter, Mail } from '../../src/accounts/mail.ts';
import { PasswordHasher } from '../../src/accounts/members/password-hasher.ts';
import { createSignInLimits } from '../../src/accounts/members/sign-in-limits.ts';
import { Providers } from '../../src/accounts/single-sign-on/provider.ts';
import { Cards } from '../../src/analytics/cards/cards.ts';
import type { AnalyticsDeps } from '../../src/analytics/deps.ts';
import { routes as calendarRoutes } from '../../src/calendars/routes.ts';
import { readConfig } from '../../src/config/config.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import { createBuckets } from '../../src/http/token-buckets.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import type { PortalDeps } from '../../src/portal/deps.ts';
import { routes as portalRoutes } from '../../src/portal/routes.ts';
import { routes as webRoutes } from '../../src/web/routes.ts';
import { webhookVariables } from '../../src/webhooks/config.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import { webhookPolicy } from '../../src/webhooks/subscriptions/operator-limits.ts';
import { BUILT_IN_PLANS } from './accounts.ts';
import { clickhouseAway } from './clickhouse-away.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startApp, type TestApp } from './http.ts';

export const PASSWORD = 'correct horse battery';
/** Hashing cost for tests, which need no strong hashes. `password-hasher.test.ts` checks the real cost. */
const CHEAP_HASHES = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** A JSON reply, whose members the tests know. */
// biome-ignore lint/suspicious/noExplicitAny: each test checks what it reads
type Json = any;

export interface Visit {
  status: number;
  headers: Headers;
  text: string;
  /** Target of a redirect, without the service's address. */
  location: string | null;
}

/** A browser without scripts. It keeps cookies, sends Origin with forms, and follows no redirects. */
export interface Visitor {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Visit>;
  post(
    path: string,
    form: Record<string, string | readonly string[]>,
    headers?: Record<string, string>,
  ): Promise<Visit>;
  json(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Visit & { json: Json }>;
}

export interface AccountApp {
  db: TestDatabase;
  pool: pg.Pool;
  app: TestApp;
  deps: PortalDeps;
  clock: { now(): number; advance(ms: number): void };
  letters: Letter[];
  /** The TXT records of domains, or the error of the name server. */
  txt: Map<string, string[] | Error>;
  /** Returns the service's log. */
  logged(): string;
  /** Creates a browser with this client address, which a trusted proxy passes on. */
  visitor(address?: string): Visitor;
  /**
   * Creates a browser that has signed up for an account.
   * @returns the account's first key too
   */
  signedUp(email: string, address?: string): Promise<{ visitor: Visitor; key: string }>;
  /** Signs up, and then opens the link that is sent to the address. */
  verified(email: string, address?: string): Promise<{ visitor: Visitor; key: string }>;
  /** Returns the token of the newest link sent to an address. */
  tokenFor(email: string): string;
  close(): Promise<void>;
}

/** @param database by default a new one. It is dropped at the end. */
export async function startAccountApp(
  env: Record<string, string> = {},
  hasMail = true,
  database?: TestDatabase,
): Promise<AccountApp> {
  const db = database ?? (await createTestDatabase());
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
  const config = readConfig(
    {
      DATABASE_URL: db.url,
      SECRET_KEY: 'a-secret-key-of-the-tests',
      TRUSTED_PROXIES: '127.0.0.1',
      SIGNUP: 'open',
      PUBLIC_SITE: '0',
      ...env,
    },
    { ...accountVariables, ...webhookVariables },
  );
  const letters: Letter[] = [];
  const mail: Mail = {
    isConfigured: hasMail,
    link: (path) => `http://touchline.test${path}`,
    send: (letter) => hasMail && letters.push(letter) > 0,
    deliver: async (letter) => hasMail && letters.push(letter) > 0,
    close: async () => {},
  };
  const passwords = await PasswordHasher.open(CHEAP_HASHES);
  const signInLimits = createSignInLimits(() => now);
  const { pool } = db;
  const changes = {
    subscribe: () => () => {},
    publish: () => {},
    publishJoined: () => {},
    close: async () => {},
  } as never;
  const guard = createGuard({ allow: ['http://127.0.0.1:*'] });
  const sender = openSender({ guard });
  const destinations = openDestinations({ guard, sender });
  const hostBuckets = createBuckets(() => now);
  const webhooks = { guard, sender, destinations, policy: webhookPolicy(config), hostBuckets };
  const txt = new Map<string, string[] | Error>();
  const readTxt = async (name: string) => {
    const records = txt.get(name) ?? Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
    if (records instanceof Error) throw records;
    return records.map((record) => [record]);
  };
  const log = openPostgresLog(pool);
  const stores = {
    pool,
    reads: pool,
    changes,
    caches: createReplyCaches(changes),
    clickhouse: clickhouseAway,
    log,
    matchPool: pool,
  };
  const deps: PortalDeps & Pick<AnalyticsDeps, 'cards'> = {
    config,
    clock,
    logger,
    plans: BUILT_IN_PLANS,
    ...stores,
    cards: new Cards({ pool, clock, logger }),
    ...webhooks,
    mail,
    passwords,
    signInLimits,
    providers: new Providers(guard),
    readTxt,
  };
  // Most tests need only the style sheets of pages.
  const pages = config.publicSite === true ? webRoutes : webRoutes.filter(({ path }) => path === '/assets/{file}');
  const app = await startApp([...accountRoutes, ...portalRoutes, ...calendarRoutes, ...pages], deps, {
    findMember: (cookies, secure) => findMember(pool, clock, cookies, secure),
  });

  function visitor(address = '192.0.2.7'): Visitor {
    const cookies = new Map<string, string>();
    async function ask(method: string, path: string, headers: Record<string, string>, body?: string) {
      const reply = await fetch(app.url + path, {
        method,
        redirect: 'manual',
        headers: {
          'X-Forwarded-For': address,
          ...(cookies.size > 0 && { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      for (const line of reply.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        if (value === '') cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      const location = reply.headers.get('location')?.replace(app.url, '') ?? null;
      return { status: reply.status, headers: reply.headers, text: await reply.text(), location };
    }
    return {
      cookies,
      get: (path, headers = {}) => ask('GET', path, headers),
      post: (path, form, headers = {}) =>
        ask(
          'POST',
          path,
          { Origin: app.url, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
          stringify(form),
        ),
      async json(method, path, body, headers = {}) {
        const sent = body === undefined ? undefined : JSON.stringify(body);
        const type: Record<string, string> = sent === undefined ? {} : { 'Content-Type': 'application/json' };
        const visit = await ask(method, path, { Origin: app.url, ...type, ...headers }, sent);
        return { ...visit, json: visit.text === '' ? {} : JSON.parse(visit.text) };
      },
    };
  }

  async function signedUp(email: string, address?: string) {
    const one = visitor(address);
    const { status, text } = await one.post('/account/sign-up', { email, password: PASSWORD });
    if (status !== 200) throw new Error(text);
    return { visitor: one, key: /[sp]k_live_\w{38}/.exec(text)![0] };
  }
  const tokenFor = (email: string) =>
    /token=(\S+)/.exec(letters.findLast(({ to, text }) => to === email && text.includes('token='))!.text)![1]!;

  return {
    db,
    pool,
    app,
    deps,
    clock,
    letters,
    txt,
    logged: () => lines.join(''),
    visitor,
    tokenFor,
    async verified(email, address) {
      const made = await signedUp(email, address);
      const { location } = await made.visitor.post('/account/address', { token: tokenFor(email) });
      if (location !== '/account?done=verified') throw new Error(`not verified: ${location}`);
      return made;
    },
    signedUp,
    async close() {
      await app.close();
      sender.close();
      destinations.close();
      await log.close();
      await db.drop();
    },
  };
}
