/**
 * Sends requests to every route about accounts, and to every route that takes a key, from every kind of caller. The
 * route's `access` decides the expected reply.
 */
import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request as open } from 'node:http';
import { allRoutes } from '../../src/all-roles.ts';
import type { Permission, Role } from '../../src/http/index.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { isAboutAccounts } from '../../src/http/uncharged-limits.ts';
import {
  contentsOf,
  createMatrixAccount,
  createMatrixBrowser,
  createMatrixInvitation,
  createMatrixKey,
  createMatrixMember,
  createMatrixPasskey,
  createMatrixSession,
  createMatrixWebhook,
  type MatrixAccount,
  signInAs,
} from '../support/account-matrix.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';
import { storeSingleSignOn } from '../support/single-sign-on.ts';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const ASKERS = [
  'nobody',
  'a revoked key',
  'a secret key of a suspended account',
  'a member of a suspended account',
  'a publishable key',
  'a member of another account',
  'a page of another site',
  'a secret key',
  'a member',
] as const;
type Asker = (typeof ASKERS)[number];
/**
 * The expected reply. `served` is the requested data, or its error. `foreign` is for a member of a different account,
 * who gets that account's data, and 404 for this account's ids. `signIn` is a redirect to the sign-in page.
 */
type Cell = 'served' | 'foreign' | 'signIn' | 401 | 403 | 404;

const KEY: Record<Asker, Cell> = {
  nobody: 401,
  'a revoked key': 401,
  'a secret key of a suspended account': 403,
  'a member of a suspended account': 401,
  'a publishable key': 403,
  'a member of another account': 401,
  'a page of another site': 401,
  'a secret key': 'served',
  'a member': 401,
};
const OF_MEMBERS = {
  'a member of another account': 'foreign',
  'a page of another site': 403,
  'a member': 'served',
} as const satisfies Partial<Record<Asker, Cell>>;
/** On pages, keys are ignored. */
const PAGE: Record<Asker, Cell> = {
  nobody: 'signIn',
  'a revoked key': 'signIn',
  'a secret key of a suspended account': 'signIn',
  'a member of a suspended account': 'signIn',
  'a publishable key': 'signIn',
  'a secret key': 'signIn',
  ...OF_MEMBERS,
};
const NOTHING = Object.fromEntries(ASKERS.map((asker) => [asker, 404])) as Record<Asker, Cell>;
const EVERYBODY = Object.fromEntries(ASKERS.map((asker) => [asker, 'served'])) as Record<Asker, Cell>;

/** What each role permits, as docs/organisations.md says. */
const PERMITTED: Record<Role, readonly Permission[]> = {
  owner: ['personal', 'view', 'read', 'own_keys', 'keys', 'webhooks', 'members', 'audit', 'organisation'],
  admin: ['personal', 'view', 'read', 'own_keys', 'keys', 'webhooks', 'members', 'audit'],
  developer: ['personal', 'view', 'read', 'own_keys', 'webhooks'],
  billing: ['personal', 'view'],
  viewer: ['personal', 'view', 'read'],
};
const ROLES = Object.keys(PERMITTED) as Role[];

/** Pages that visitors without a session may see. */
const OPEN_PAGES = new Set(
  [
    'sign-in',
    'sign-in/company',
    'sign-in/company/callback',
    'sign-in/company/callback/{id}',
    'sign-up',
    'sign-out',
    'code',
    'reset',
    'join',
    'passkey',
    'passkey/challenge',
    'code/challenge',
  ].map((page) => `/account/${page}`),
);
/** Stored events belong to no account. Each account sees only its own subscriptions beside them. */
const SHARED = new Set(['/v1/account/stored-event/{id}', '/account/events/{id}', '/account/events/{id}/send']);
const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`;

/** @throws {Error} for a kind of route that this test does not know */
function expectedOf(route: AnyRoute): Record<Asker, Cell> | null {
  const { access, path, method } = route;
  if (access === 'key') return { ...KEY, 'a publishable key': 'served' };
  if (access === 'account') return { ...KEY, ...OF_MEMBERS };
  if (access === 'member') return { ...KEY, 'a revoked key': 403, 'a secret key': 403, ...OF_MEMBERS };
  if (access === 'visitor' && isAboutAccounts(route)) {
    if (!OPEN_PAGES.has(path)) return PAGE;
    return { ...EVERYBODY, 'a page of another site': method === 'GET' ? 'served' : 403 };
  }
  // None of the callers is an operator. The tests in test/portal/operator use one.
  if (access === 'operator') return NOTHING;
  if (nameOf(route) === 'POST /v1/account') return EVERYBODY;
  if (!isAboutAccounts(route) && ['public', 'feed', 'visitor'].includes(access)) return null;
  throw new Error(
    `The account matrix does not know who may use ${nameOf(route)} (access ${access}): add it to expectedOf in test/contracts/account-matrix.test.ts`,
  );
}

/** Whether a route is for members, so that it has to say what their role must permit. */
const isForMembers = (route: AnyRoute): boolean =>
  route.access === 'account' ||
  route.access === 'member' ||
  (route.access === 'visitor' && isAboutAccounts(route) && !OPEN_PAGES.has(route.path));

describe('the account matrix', function () {
  this.timeout(180_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let service: SampleService;
  let mine: MatrixAccount;
  let other: MatrixAccount;
  let suspended: MatrixAccount;
  /** For members with each role. Another account, because all members of an account share a limit of requests. */
  let staffed: MatrixAccount;
  before(async () => {
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    service = await startSampleService({
      DATABASE_URL: db.url,
      CLICKHOUSE_URL: clickhouse.url,
      TRUSTED_PROXIES: '127.0.0.1',
    });
    mine = await createMatrixAccount(service, 'mine');
    other = await createMatrixAccount(service, 'other');
    suspended = await createMatrixAccount(service, 'suspended');
    staffed = await createMatrixAccount(service, 'staffed');
    await service.running.deps.pool.query('UPDATE account SET suspended_at = now() WHERE id = $1', [
      suspended.accountId,
    ]);
  });
  after(async () => {
    await service?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  const member = async (account: MatrixAccount, origin = service.url) => ({
    cookie: await signInAs(service, account),
    origin,
  });
  async function credentialsOf(asker: Asker): Promise<Record<string, string>> {
    const own = { origin: service.url };
    if (asker === 'nobody') return own;
    if (asker === 'a revoked key') return { ...own, 'x-api-key': mine.revoked };
    if (asker === 'a secret key of a suspended account') return { ...own, 'x-api-key': suspended.sk };
    if (asker === 'a member of a suspended account') return member(suspended);
    if (asker === 'a publishable key') return { ...own, 'x-api-key': mine.pk };
    if (asker === 'a member of another account') return member(other);
    if (asker === 'a page of another site') return member(mine, 'https://evil.example');
    return asker === 'a member' ? member(mine) : { ...own, 'x-api-key': mine.sk };
  }

  /** Returns the path with the account's ids filled in. A request that may change them gets new ones. */
  async function targetFor(route: AnyRoute, changes: boolean, account = mine): Promise<string> {
    if (!isAboutAccounts(route) && route.access !== 'operator') return service.targetOf(route);
    const ids: Record<string, string | number> = {
      ...account.ids,
      accounts: account.accountId,
      approval: account.accountId,
      callback: account.accountId,
      invitations: 1,
      corrections: 1,
      entries: 1,
      pairs: 1,
      events: 1,
      'stored-event': 1,
    };
    if (changes && route.path.includes('/notifications/{'))
      ids.notifications = await createMatrixBrowser(service, account);
    if (changes && route.path.includes('/passkeys/{')) ids.passkeys = await createMatrixPasskey(service, account);
    if (changes && route.path.includes('/members/{'))
      ids.members = (await createMatrixMember(service, account, 'viewer')).memberId;
    if (changes && /\/(member-)?invitations\/\{/.test(route.path) && route.access !== 'operator') {
      const invitation = await createMatrixInvitation(service, account);
      Object.assign(ids, { invitations: invitation, 'member-invitations': invitation });
    }
    if (changes && route.path.includes('/keys/{')) ids.keys = await createMatrixKey(service, account);
    if (changes && route.path.includes('/sessions/{')) ids.sessions = await createMatrixSession(service, account);
    if (changes && route.path.includes('/webhooks/{')) Object.assign(ids, await createMatrixWebhook(service, account));
    if (route.path.includes('/single-sign-on'))
      await storeSingleSignOn(
        service.running.deps,
        account.accountId,
        account.mark,
        `${account.mark.replace('belongs-to-', '')}.example.com`,
      );
    const { path, example = {} } = route;
    const filled = path.replaceAll(/\/([\w-]+)\/\{\w+\}/g, (_, entity: string) => `/${entity}/${ids[entity]}`);
    assert.doesNotMatch(
      filled,
      /undefined/,
      `The account matrix has no id for ${nameOf(route)}: add it to createMatrixAccount`,
    );
    return `${filled}?${new URLSearchParams(example)}`;
  }

  let asked = 0;
  /** Returns an address in a new network for each request, so that its rate limits are unused. */
  function nextAddress(): string {
    asked += 1;
    return `10.${Math.floor(asked / 250)}.${asked % 250}.1`;
  }

  /**
   * Sends a request. If the reply is a stream, reads only its head.
   * @param body replaces the example's body
   */
  function ask(route: AnyRoute, target: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const type = route.form ? 'application/x-www-form-urlencoded' : 'application/json';
    const takesJson = route.body !== undefined || route.rawBody?.['application/json'] !== undefined;
    const sent = body ?? (takesJson ? JSON.stringify(route.exampleBody ?? {}) : route.form ? 'name=x' : undefined);
    return new Promise((resolve, reject) => {
      const request = open(
        service.url + target,
        {
          method: route.method,
          agent: false,
          headers: {
            ...headers,
            'x-forwarded-for': nextAddress(),
            ...(sent !== undefined && { 'content-type': type }),
          },
        },
        (response) => {
          let text = '';
          const answer = () => resolve({ status: response.statusCode!, headers: response.headers, text });
          if (route.isStream && response.statusCode === 200) {
            answer();
            request.destroy();
            return;
          }
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', answer);
        },
      );
      request.on('error', reject);
      request.end(sent);
    });
  }

  function check(cell: Cell, { status, headers, text }: Answer, route: AnyRoute, what: string): void {
    const isById = isAboutAccounts(route) && route.path.includes('{') && !SHARED.has(route.path);
    const said = `${what}: ${status} ${text.slice(0, 300)}`;
    assert.ok(status < 500, said);
    if (typeof cell === 'number') assert.equal(status, cell, said);
    else if (cell === 'signIn') {
      assert.equal(status, 303, said);
      assert.match(headers.location!, /\/account\/sign-in\?next=/, said);
    } else if (cell === 'foreign' && isById) assert.equal(status, 404, said);
    else if (!OPEN_PAGES.has(route.path)) {
      // 400 is for a WebSocket route over HTTP or an empty message, 404 for a missing item, 409 and 422 for an impossible example.
      const others = route.method === 'GET' ? (isAboutAccounts(route) ? [] : [404]) : [409, 422];
      const isAnswered =
        status < 400 || others.includes(status) || (status === 400 && (route.upgrade ?? route.rawBody) !== undefined);
      assert.ok(isAnswered, said);
      if (route.method === 'GET' && isAboutAccounts(route)) assert.equal(status, 200, said);
    }
    if (cell !== 'served' || OPEN_PAGES.has(route.path))
      for (const secret of [mine.mark, mine.email]) assert.ok(!text.includes(secret), said);
  }

  const matrix = () =>
    allRoutes.flatMap((route) => {
      const expected = expectedOf(route);
      return expected === null ? [] : [{ route, expected }];
    });

  it('reports an unclassified route by name', () => {
    const unknown = { ...allRoutes[0]!, path: '/v1/account/new', access: 'public' } as AnyRoute;
    assert.throws(() => expectedOf(unknown), /does not know who may use GET \/v1\/account\/new \(access public\)/);
    assert.ok(matrix().length > 80, `${matrix().length}`);
  });

  for (const asker of ASKERS)
    it(`has on every route the reply that the route’s access declares for ${asker}`, async () => {
      const isOwner = asker === 'a secret key' || asker === 'a member';
      const before = await contentsOf(service, mine);
      for (const { route, expected } of matrix()) {
        // Skips this, because a page on another site cannot read the reply: its browser sends no cookie and does not show it.
        if (asker === 'a page of another site' && route.method === 'GET') continue;
        const target = await targetFor(route, isOwner && route.method !== 'GET');
        const answer = await ask(route, target, await credentialsOf(asker));
        check(expected[asker], answer, route, `${asker}, ${nameOf(route)}`);
      }
      if (!isOwner) assert.equal(await contentsOf(service, mine), before);
    });

  it('declares for each route for members what their role must permit', () => {
    const missing = allRoutes.filter((route) => isForMembers(route) && route.permission === undefined).map(nameOf);
    assert.deepEqual(missing, [], 'add `permission` to these routes');
    const needless = allRoutes.filter((route) => !isForMembers(route) && route.permission !== undefined).map(nameOf);
    assert.deepEqual(needless, []);
    // Reading needs no more than reading, and a change needs more, except for a try that stores nothing.
    const readers = new Set(['view', 'read']);
    const careless = allRoutes.filter(
      ({ method, path, permission }) => method !== 'GET' && readers.has(permission ?? '') && !path.endsWith('/preview'),
    );
    assert.deepEqual(careless.map(nameOf), []);
  });

  for (const role of ROLES)
    it(`has on every route the reply that the route’s permission declares for the role ${role}`, async () => {
      let refused = 0;
      for (const { route, expected } of matrix().filter(({ route }) => isForMembers(route))) {
        const person = await createMatrixMember(service, staffed, role);
        const isPermitted = PERMITTED[role].includes(route.permission!);
        const target = await targetFor(route, route.method !== 'GET' && isPermitted, person);
        const before = isPermitted ? '' : await contentsOf(service, staffed);
        const answer = await ask(route, target, await member(person));
        const what = `${role}, ${nameOf(route)}`;
        if (isPermitted) {
          check(expected['a member'], answer, route, what);
          continue;
        }
        refused += 1;
        assert.equal(answer.status, 403, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
        assert.match(answer.text, /role_not_permitted|Your role in this organisation does not permit this/, what);
        for (const secret of [staffed.mark, staffed.email]) assert.ok(!answer.text.includes(secret), what);
        assert.equal(await contentsOf(service, staffed), before, what);
      }
      assert.ok(role === 'owner' ? refused === 0 : refused > 0, `${refused}`);
    });

  for (const role of ROLES)
    it(`shows the role ${role} no form or link that this role may not use`, async () => {
      const person = await createMatrixMember(service, staffed, role);
      const pages = matrix()
        .map(({ route }) => route)
        .filter((route) => route.method === 'GET' && route.access === 'visitor' && isForMembers(route));
      let checked = 0;
      for (const route of pages.filter(({ permission }) => PERMITTED[role].includes(permission!))) {
        const { text } = await ask(route, await targetFor(route, false, person), await member(person));
        const shown = [
          ...[...text.matchAll(/<form method="post" action="([^"?]+)/g)].map(([, path]) => ['POST', path!] as const),
          ...[...text.matchAll(/<a [^>]*href="(\/account[^"?#]*)/g)].map(([, path]) => ['GET', path!] as const),
        ];
        for (const [method, path] of shown) {
          const target = allRoutes.find(
            (one) =>
              one.method === method &&
              isForMembers(one) &&
              new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
          );
          if (target === undefined) continue;
          checked += 1;
          const isUsable = PERMITTED[role].includes(target.permission!);
          assert.ok(isUsable, `${role} sees on ${route.path}: ${method} ${path}`);
        }
      }
      assert.ok(checked > 10, `${checked}`);
    });

  it('expects 422 for half a surrogate pair in any text of a body', async () => {
    const spoiled = (value: unknown): unknown[] => {
      if (typeof value === 'string') return [`${value}\ud800`];
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(([name, member]) =>
        spoiled(member).map((one) =>
          Array.isArray(value) ? value.with(Number(name), one) : { ...value, [name]: one },
        ),
      );
    };
    // The account of the tests above may have used up its requests for this minute.
    const fresh = await createMatrixAccount(service, 'surrogates');
    for (const { route } of matrix().filter(({ route }) => route.body !== undefined)) {
      const bodies = [...spoiled(route.exampleBody ?? {}), { ...route.exampleBody, '\udc00': 1 }];
      for (const body of bodies) {
        const target = await targetFor(route, true, fresh);
        const own = { origin: service.url };
        const asker: Record<string, string> =
          route.access === 'key' ? { 'x-api-key': fresh.sk } : { cookie: await signInAs(service, fresh) };
        const answer = await ask(route, target, { ...own, ...asker }, JSON.stringify(body));
        const said = `${nameOf(route)} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`;
        assert.equal(answer.status, 422, said);
        assert.match(answer.text, /"code":"invalid_text"/, said);
      }
    }
  });
});
