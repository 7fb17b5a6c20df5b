/**
 * Runs the whole service on the sample catalogue, at a fixed time without a live match. It is the same at each start.
 */
import { readFileSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { parse, stringify } from 'yaml';
import { insertPasskey } from '../../src/accounts/credentials/passkeys.ts';
import { sessionCookie } from '../../src/accounts/credentials/session-cookie.ts';
import { createSession } from '../../src/accounts/credentials/sessions.ts';
import { PasswordHasher } from '../../src/accounts/members/password-hasher.ts';
import { createSignInLimits } from '../../src/accounts/members/sign-in-limits.ts';
import { signUp } from '../../src/accounts/members/sign-up.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { applyUpdates } from '../../src/apply/apply.ts';
import { aliasLists } from '../../src/catalogue/search/alias-lists.ts';
import { applyAliasLists } from '../../src/catalogue/search/store-aliases.ts';
import { webhookReply } from '../../src/client/webhook.ts';
import { prepareDemo } from '../../src/demo/demo.ts';
import { LEAGUE } from '../../src/demo/invented-league.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import { type Running, readRoleConfig, serve } from '../../src/main.ts';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { storeSnapshot } from '../../src/rankings/store.ts';
import { storeTransfers } from '../../src/transfers/store.ts';
import type { ListedTransfer } from '../../src/transfers/transfer.ts';
import { writeAttempts } from '../../src/webhooks/delivery/attempt-queries.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { createKey } from './accounts.ts';
import { storeSingleSignOn } from './single-sign-on.ts';
import { until } from './until.ts';
import { DEFAULT_POLICY } from './webhook-policy.ts';
import { startReceiver } from './webhook-receiver.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const OWNER = { email: 'sample@example.com', password: 'a password of the sample' };

/** A passkey that nobody can use. */
const PASSKEY = {
  name: 'Laptop',
  credential: 'sample',
  publicKey: Buffer.from('sample'),
  counter: 0,
  rpId: 'touchline.example.com',
  transports: [],
};

/** Time for the service to become ready, which includes the start of the embedded ClickHouse. */
const PATIENCE_MS = 60_000;

export interface SampleService {
  running: Running;
  plans: OfferedPlans;
  /** http://host:port */
  url: string;
  key: string;
  feedToken: string;
  /** Returns the headers that a route's access requires: with the key, the feed's token, or a member's cookie. */
  credentialsOf(route: Pick<AnyRoute, 'access' | 'method'>): Record<string, string>;
  /** URL of the receiver to which the sample's webhook leads. */
  receiverUrl: string;
  /** Returns the request target of a route's example. `query` replaces the query of the example. */
  targetOf(route: Pick<AnyRoute, 'path' | 'example'>, query?: Readonly<Record<string, string>>): string;
  stop(): Promise<void>;
}

/** Returns the built-in plans and one without a limit per second, since tests send requests without a pause. */
function samplePlans(): string {
  const file = parse(readFileSync(new URL('../../data/plans.yaml', import.meta.url), 'utf8'));
  const pro = file.plans.find(({ name }: { name: string }) => name === 'pro');
  const sample = { ...pro, name: 'sample', title: 'Sample', windows: { burst: 100_000, day: 500_000 } };
  return stringify({ ...file, plans: [...file.plans, sample] });
}

/**
 * @param env the stores' addresses
 * @param logger by default there are no logs
 */
export async function startSampleService(
  env: Record<string, string>,
  logger: Logger = pino({ level: 'silent' }),
): Promise<SampleService> {
  const feedToken = 'feed-token-of-the-sample';
  const config = await readRoleConfig(
    {
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
      SECRET_KEY: 'secret-of-the-sample',
      PLANS: samplePlans(),
      FEED_TOKEN: feedToken,
      WEBHOOK_ALLOW: 'http://127.0.0.1:*',
      SIGNUP: 'open',
      ...env,
    },
    'all',
  );
  const clock = { now: () => NOW };
  const running = await serve(config, logger, { role: 'all', clock });
  const { pool, changes } = running.deps;
  const entities = new EntityCache();
  await prepareDemo({
    pool,
    clock,
    logger,
    apply: (updates, options) => applyUpdates({ pool, clock, changes, entities }, updates, options),
  });
  await storeRankings(pool, entities);
  // Does this now, because the service would otherwise do it while it answers requests.
  await applyAliasLists(pool, aliasLists());
  await until(
    'the relay and the loader have moved every change, and the coverage is measured',
    async () => {
      const { rows } = await pool.query(
        `SELECT NOT EXISTS (SELECT FROM outbox) AND NOT EXISTS (SELECT FROM match_touch) AND NOT EXISTS (SELECT FROM odds_change)
           AND caught_up_at IS NOT NULL AND loaded_cursor >= change_seq AND measured_cursor >= change_seq AS done
         FROM analytics_loader, relay, coverage_refresh`,
      );
      return rows[0].done;
    },
    PATIENCE_MS,
  );
  const mail = {
    isConfigured: false,
    link: (path: string) => path,
    send: () => false,
    deliver: async () => false,
    close: async () => {},
  };
  const passwords = await PasswordHasher.open();
  const signInLimits = createSignInLimits(() => NOW);
  const plans = new OfferedPlans(config.plans);
  const signUpConfig = { signUp: 'open', secretKeys: config.secretKeys } as const;
  const account = await signUp(
    { pool, clock, config: signUpConfig, plans, mail, passwords, signInLimits },
    OWNER,
    '192.0.2.7',
  );
  const { key } = await createKey(pool, clock, { email: OWNER.email, plan: 'sample' }, plans);
  const session = await createSession(pool, clock, account.member.id, { address: '192.0.2.7', agent: 'sample' });
  const cookie = sessionCookie(session, false).split(';')[0]!;
  const receiver = await startReceiver(({ body }, response) =>
    response.end(webhookReply(JSON.parse(body)) || '{"received":true}'),
  );
  const ids: Record<string, number | string> = {
    ...(await sampleIds(running)),
    keys: account.keyId,
    members: await storeMember(running, account.member.accountId),
    organisations: account.member.accountId,
    passkeys: await insertPasskey(pool, clock, account.member.id, PASSKEY),
    ...(await storeWebhook(running, plans, receiver.url)),
  };
  await storeMoves(pool, entities, Number(ids.participant));
  await storeSingleSignOn(running.deps, account.member.accountId, 'touchline', 'example.com');
  return {
    running,
    plans,
    url: running.address!,
    key,
    feedToken,
    credentialsOf({ access, method }): Record<string, string> {
      if (access === 'feed') return { authorization: `Bearer ${feedToken}` };
      if (access !== 'member') return { 'x-api-key': key };
      // Sends the headers that a browser would send.
      return method === 'GET' ? { cookie } : { cookie, origin: running.address! };
    },
    targetOf({ path, example = {} }, query = example) {
      const filled = path.replaceAll(/\/([\w-]+)\/\{\w+\}/g, (_, entity: string) => `/${entity}/${ids[entity] ?? 1}`);
      const text = new URLSearchParams(query).toString().replaceAll('%2C', ',');
      return text === '' ? filled : `${filled}?${text}`;
    },
    receiverUrl: receiver.url,
    async stop() {
      await running.stop();
      await receiver.close();
    },
  };
}

/** Stores a second member of the account. @returns the id */
async function storeMember({ deps }: Running, accountId: number): Promise<number> {
  const joined = new Date(NOW - 86_400_000);
  const { rows } = await deps.pool.query<{ id: number }>(
    "INSERT INTO member (email, created_at) VALUES ('bob@example.com', $1) RETURNING id",
    [joined],
  );
  const { id } = rows[0]!;
  await deps.pool.query(
    "INSERT INTO membership (account_id, member_id, role, created_at) VALUES ($1, $2, 'viewer', $3)",
    [accountId, id, joined],
  );
  return id;
}

/** Stores a subscription that no dispatcher serves, with a failed delivery. */
async function storeWebhook(
  { deps }: Running,
  plans: OfferedPlans,
  url: string,
): Promise<{ webhooks: number; deliveries: string }> {
  const { pool, clock, config } = deps;
  const { id } = await createSubscription(
    {
      pool,
      clock,
      guard: createGuard({ allow: ['http://127.0.0.1:*'] }),
      secretKeys: config.secretKeys,
      policy: DEFAULT_POLICY,
      plans,
    },
    {
      account: OWNER.email,
      url,
      description: 'Goals for the scoreboard',
      metadata: { team: 'stadium' },
      eventTypes: ['match.goal', 'match.goal_cancelled'],
      sports: ['football'],
      dispatcherGroup: 'none',
    },
  );
  const event = 'evt_4711_3';
  const delivery = `dlv_${id}_4711_3`;
  const failed = { subscription_id: id, event_id: event, event_type: 'match.goal', next_attempt_at: null };
  await pool.query(
    `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, created_at, updated_at)
     VALUES ($1, $2, $3, 'match.goal', $4, 'failed', 7, $5, $5)`,
    [
      delivery,
      id,
      event,
      '{"id":"evt_4711_3","type":"match.goal","data":{"schema":1,"sequence":3}}',
      new Date(NOW - 9_000_000),
    ],
  );
  const attempt = { delivery_id: delivery, attempt: 7, at: NOW - 60_000, duration_ms: 31, status: 503 };
  const why = { failure: 'status 503', cause: 'server_error', reply: 'down for maintenance' } as const;
  await writeAttempts(pool, [{ ...failed, ...attempt, ...why, cursor: null, body: null, single: false }]);
  return { webhooks: id, deliveries: delivery };
}

/** Stores two rankings, so that places have changed. */
async function storeRankings(pool: Running['deps']['pool'], entities: EntityCache): Promise<void> {
  const rankings = { '2026-02-05': ['Spain', 'France', 'Argentina'], '2026-02-26': ['Spain', 'Argentina', 'France'] };
  for (const [published_at, names] of Object.entries(rankings)) {
    const entries = names.map((name, index) => ({ rank: index + 1, points: 1880 - 5 * index, who: { name } }));
    const snapshot = { kind: 'fifa', published_at, provider: 'touchline', entries } as const;
    await storeSnapshot({ pool, entities, precedence: BUILT_IN }, snapshot);
  }
}

/** Stores a loan, and the player's return from it. */
async function storeMoves(pool: Running['deps']['pool'], entities: EntityCache, team: number): Promise<void> {
  const base = {
    provider: 'touchline',
    id: undefined,
    sport: 'football',
    gender: 'men',
    player: { name: 'Marek Hollin', birth_date: '2004-05-06', country: 'CZ' },
    loan_until: null,
    fee: null,
    fee_currency: null,
  };
  const [club, other] = [{ participant_id: team }, { name: 'Slavia' }];
  const moves: ListedTransfer[] = [
    {
      ...base,
      date: '2025-02-01',
      type: 'loan',
      from: club,
      to: other,
      fee: 150_000,
      fee_currency: 'EUR',
      loan_until: '2025-06-30',
    },
    { ...base, date: '2025-06-30', type: 'loan_return', from: other, to: club },
  ];
  await storeTransfers({ pool, entities, precedence: BUILT_IN }, moves, new Set());
}

/**
 * Returns ids by the word before `{id}` in a path. They are for the newest result with all blocks, its league, its
 * home side, its venue, its referee and the coach of its home side.
 */
async function sampleIds({ deps: { pool } }: Running): Promise<Record<string, number>> {
  const { rows } = await pool.query<Record<string, number>>(
    `SELECT m.id AS event, m.tournament_id AS tournament, m.home_id AS participant, m.venue_id AS venue,
       (SELECT s.participant_id FROM match_staff s WHERE s.match_id = m.id AND s.role = 'referee' AND s.position = 0) AS referee,
       (SELECT s.participant_id FROM match_staff s WHERE s.match_id = m.id AND s.role = 'coach' AND s.side = 'home') AS coach
     FROM match m
     JOIN tournament t ON t.id = m.tournament_id WHERE t.name = $1 AND m.status = 'finished'
     ORDER BY m.scheduled_start DESC, m.id LIMIT 1`,
    [LEAGUE],
  );
  return rows[0]!;
}
