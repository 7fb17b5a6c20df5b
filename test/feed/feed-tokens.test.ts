import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Command } from 'commander';
import { OPERATOR } from '../../src/accounts/audit.ts';
import { createFeedToken, listFeedTokens, revokeFeedToken } from '../../src/feed/feed-tokens.ts';
import { routes } from '../../src/feed/routes.ts';
import { addTokenCommands } from '../../src/feed/token-command.ts';
import { reencryptSecrets } from '../../src/webhooks/subscriptions/secret-reencryption.ts';
import type { FeedUpdateInput } from '../../src/wire/feed-update.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';
import { type FeedApp, type FeedReply, NDJSON, SECRET_KEYS, startFeedApp } from '../support/feed-app.ts';
import type { ProblemReply } from '../support/http.ts';
import { until } from '../support/until.ts';

const CHECK_MS = 5_000;
const WINDOW_SECONDS = 300;

describe('provider tokens', () => {
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
  afterEach(() => bench.db.pool.query('DELETE FROM feed_token'));

  const deps = () => ({ pool: bench.db.pool, clock: bench.deps.clock, secretKeys: SECRET_KEYS });
  const create = (over: Partial<Parameters<typeof createFeedToken>[1]> = {}) =>
    createFeedToken(deps(), { provider: 'acme', sports: null, signs: false, ...over }, OPERATOR);
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const ofAcme = (match = {}) => bench.update(match, { provider: 'acme' });
  const codes = ({ rejected }: FeedReply) =>
    rejected.map(({ index, errors }) => `${index} ${errors.map(({ path, code }) => `${path} ${code}`).join()}`);
  const count = async () => Number((await bench.db.pool.query('SELECT count(*) FROM match')).rows[0].count);

  it('write for one provider, and among several updates only that provider’s are accepted', async () => {
    const { token } = await create();
    const mine = ofAcme();
    bench.nextMatch();
    const { status, json } = await service.post(
      [bench.update(), mine, bench.update({}, { provider: 'bravo' })],
      bearer(token),
    );
    assert.deepEqual(
      [status, json.accepted, codes(json)],
      [200, 1, ['0 provider other_provider', '2 provider other_provider']],
    );
    const single = await service.post<ProblemReply>(bench.update(), bearer(token));
    assert.deepEqual(
      [single.status, single.json.errors![0]!.detail],
      [422, 'the token may only write updates of acme'],
    );
    const { rows } = await bench.db.pool.query(
      "SELECT count(*)::int AS stored FROM feed_rejection WHERE errors::text LIKE '%other_provider%'",
    );
    assert.equal(rows[0].stored, 3);
  });

  it('that name sports write only those sports, whatever the kind of update', async () => {
    const { token } = await create({ sports: ['football', 'tennis'] });
    const common = { schema: 1, provider: 'acme', observed_at: new Date(bench.now).toISOString() } as const;
    const venue = { name: 'Hall', country: 'DE' };
    const updates: FeedUpdateInput[] = [
      ofAcme(),
      ofAcme({ sport: 'basketball' }),
      { ...common, kind: 'participant', participant: { type: 'team', sport: 'darts', name: 'D', country: 'DE' } },
      { ...common, kind: 'tournament', tournament: { sport: 'tennis', name: 'Open', country: 'DE' } },
      { ...common, kind: 'venue', venue },
      { ...common, kind: 'venue', venue: { ...venue, sport: 'football' } },
    ];
    const { json } = await service.post(updates, bearer(token));
    assert.deepEqual(
      [json.accepted, codes(json)],
      [
        3,
        ['1 match.sport sport_not_allowed', '2 participant.sport sport_not_allowed', '4 venue.sport sport_not_allowed'],
      ],
    );
  });

  it('include FEED_TOKEN, which still writes for every provider', async () => {
    await create();
    assert.equal((await service.post([ofAcme(), bench.update({ id: 'x' }, { provider: 'bravo' })])).json.accepted, 1);
  });

  it('may exist twice for a provider, a third one is refused, and a revoked token is refused at once', async () => {
    const [first, second] = [await create(), await create()];
    for (const { token } of [first, second]) assert.equal((await service.post(ofAcme(), bearer(token))).status, 200);
    await assert.rejects(
      create(),
      new RegExp(`acme has 2 usable tokens, ${first.id} and ${second.id}: revoke one first`),
    );
    await revokeFeedToken(deps(), first.id, OPERATOR);
    const refused = await service.post<ProblemReply>(ofAcme(), bearer(first.token));
    assert.deepEqual([refused.status, refused.json.code], [401, 'key_revoked']);
    assert.equal((await service.post(ofAcme(), bearer(second.token))).status, 200);
    await create();
    await assert.rejects(revokeFeedToken(deps(), first.id, OPERATOR), /was revoked at 2024-/);
    await assert.rejects(revokeFeedToken(deps(), 999_999, OPERATOR), /There is no feed token 999999/);
  });

  it('are at most two for a provider even if they are created at the same moment', async () => {
    const outcomes = await Promise.allSettled([create(), create(), create(), create()]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  });

  it('end a running request when they are revoked', async () => {
    const { id, token } = await create();
    const before = await count();
    const { port } = new URL(service.app.url);
    const headers = { ...NDJSON, ...bearer(token) };
    const sent = httpRequest({ port, host: '127.0.0.1', path: '/feed/v1/updates', method: 'POST', headers });
    const reply = new Promise<number>((done, failed) => {
      sent.on('response', (response) => done(response.resume().statusCode!)).on('error', failed);
    });
    sent.write(`${JSON.stringify(ofAcme())}\n`);
    await until('the first update is applied', async () => (await count()) === before + 1);
    await revokeFeedToken(deps(), id, OPERATOR);
    bench.now += CHECK_MS + 1;
    bench.nextMatch();
    sent.write(`${JSON.stringify(ofAcme())}\n`);
    assert.equal(await reply, 401);
    sent.destroy();
    assert.equal(await count(), before + 1);
  });

  it('are required by every feed route, which refuses a wrong token or none', async () => {
    const { token } = await create();
    const wrong = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x');
    const random = `ft_live_${'A'.repeat(38)}`;
    const hash = (text: string) => ({
      Authorization: '',
      'X-Service-Token': createHash('sha256').update(text).digest('hex'),
    });
    const places = [
      bearer(wrong),
      bearer(random),
      bearer('ft_live_'),
      hash(wrong),
      hash(token),
      { 'X-Service-Token': '1', Authorization: '' },
    ];
    for (const headers of places)
      for (const { method, path } of routes) {
        const query = method === 'GET' ? '?provider=acme&id=1' : '';
        const body = method === 'GET' ? undefined : ofAcme();
        const { status, json } = await service.app.ask<ProblemReply>(path + query, {
          method,
          key: null,
          headers,
          body,
        });
        assert.deepEqual([status, json.code], [401, 'key_invalid'], `${method} ${path} ${JSON.stringify(headers)}`);
      }
  });

  it('read only the ids of their provider', async () => {
    const { token } = await create();
    const update = ofAcme();
    await service.post(update, bearer(token));
    const ask = (provider: string) =>
      service.app.ask<ProblemReply & { match_id: number }>(
        `/feed/v1/match?provider=${provider}&id=${update.match.id}`,
        {
          key: null,
          headers: bearer(token),
        },
      );
    assert.ok((await ask('acme')).json.match_id > 0);
    const other = await ask('live');
    assert.deepEqual([other.status, other.json.code], [403, 'key_not_permitted']);
  });

  describe('for signed requests', () => {
    const signed = (token: string, body: string, seconds = 0, secret = token) => {
      const timestamp = String(Math.floor(bench.now / 1_000) + seconds);
      const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
      return {
        Authorization: '',
        'Content-Type': 'application/json',
        'X-Service-Token': createHash('sha256').update(token).digest('hex'),
        'X-Service-Timestamp': timestamp,
        'X-Service-Signature': `v1=${signature}`,
      };
    };
    const refused = async (body: string, headers: Record<string, string>) => {
      const before = await count();
      const { status, json } = await service.post<ProblemReply>(body, headers);
      assert.deepEqual([status, json.code, await count()], [401, 'key_invalid', before]);
      return json.detail;
    };

    it('write with a correct signature, as JSON and as lines, within five minutes of the service’s clock', async () => {
      const { token } = await create({ signs: true });
      for (const seconds of [0, -WINDOW_SECONDS + 1, WINDOW_SECONDS - 1]) {
        const body = JSON.stringify(ofAcme());
        assert.equal((await service.post(body, signed(token, body, seconds))).status, 200);
      }
      const lines = [ofAcme(), bench.update()].map((update) => JSON.stringify(update)).join('\n');
      const { json } = await service.post(lines, { ...signed(token, lines), ...NDJSON });
      assert.deepEqual(codes(json), ['1 provider other_provider']);
    });

    it('are refused with a wrong signature, body, time or secret, and nothing is applied', async () => {
      const { token } = await create({ signs: true });
      const body = JSON.stringify(ofAcme());
      const altered = body.replace('Home', 'Rome');
      assert.match(await refused(altered, signed(token, body)), /signature is wrong/);
      assert.match(await refused(body, signed(token, body, 0, 'another secret')), /signature is wrong/);
      assert.match(await refused(body, { ...signed(token, body), 'X-Service-Signature': 'v1=' }), /signature is wrong/);
      assert.match(await refused(body, signed(token, body, -WINDOW_SECONDS - 1)), /5 minutes away/);
      assert.match(await refused(body, signed(token, body, WINDOW_SECONDS + 2)), /5 minutes away/);
      assert.match(await refused(body, { ...signed(token, body), 'X-Service-Timestamp': 'now' }), /Unix time/);
      const lines = `${body}\n${body}`;
      assert.match(await refused(lines, { ...signed(token, body), ...NDJSON }), /signature is wrong/);
    });

    it('are refused if a request contains them, and a token that is not for signing is refused if it signs', async () => {
      const { token } = await create({ signs: true });
      const body = JSON.stringify(ofAcme());
      assert.match(
        await refused(body, { ...bearer(token), 'Content-Type': 'application/json' }),
        /do not send the token itself/,
      );
      const { token: plain } = await create();
      assert.match(await refused(body, signed(plain, body)), /does not sign/);
    });

    it('are refused after they are revoked, and stay valid under a new SECRET_KEY', async () => {
      const { id, token } = await create({ signs: true });
      const keys = ['another secret key of the tests', ...SECRET_KEYS];
      assert.equal((await reencryptSecrets(bench.db.pool, keys)).count, 1);
      const body = JSON.stringify(ofAcme());
      const away = await service.post<ProblemReply>(body, signed(token, body));
      assert.deepEqual([away.status, away.json.code], [503, 'unavailable'], 'the key is not known here');
      assert.equal((await reencryptSecrets(bench.db.pool, [...SECRET_KEYS, keys[0]!])).count, 1);
      assert.equal((await service.post(body, signed(token, body))).status, 200);
      await revokeFeedToken(deps(), id, OPERATOR);
      const { json } = await service.post<ProblemReply>(body, signed(token, body));
      assert.equal(json.code, 'key_revoked');
      const { rows } = await bench.db.pool.query('SELECT secret FROM feed_token WHERE id = $1', [id]);
      assert.equal(rows[0].secret, '');
    });

    it('read their provider’s ids', async () => {
      const { token } = await create({ signs: true });
      const ask = (headers: Record<string, string>) =>
        service.app.ask(`/feed/v1/match?provider=acme&id=none`, { key: null, headers });
      assert.equal((await ask(signed(token, ''))).status, 404);
      assert.equal((await ask(signed(token, 'x'))).status, 401);
    });
  });

  it('are not stored in the database, and the audit log says who created and revoked them', async () => {
    const [plain, signs] = [await create(), await create({ signs: true, sports: ['tennis'] })];
    await revokeFeedToken(deps(), signs.id, OPERATOR);
    const { rows } = await bench.db.pool.query(
      'SELECT t::text FROM feed_token t UNION ALL SELECT details::text FROM audit_entry',
    );
    for (const { token } of [plain, signs]) assert.ok(!JSON.stringify(rows).includes(token.slice(8)));
    const { rows: audited } = await bench.db.pool.query(
      'SELECT action, target, actor, details FROM audit_entry ORDER BY id DESC LIMIT 2',
    );
    assert.deepEqual(audited, [
      {
        action: 'feed_token.revoked',
        target: `feed token ${signs.id}`,
        actor: 'operator',
        details: { provider: 'acme' },
      },
      {
        action: 'feed_token.created',
        target: `feed token ${signs.id}`,
        actor: 'operator',
        details: { provider: 'acme', sports: ['tennis'], signs: true },
      },
    ]);
  });

  describe('the command touchline feed token', () => {
    async function token(...args: string[]): Promise<string> {
      const lines: string[] = [];
      const feed = new Command('feed').exitOverride();
      addTokenCommands(
        feed,
        Number,
        (work) => work(deps()),
        (line) => lines.push(line),
      );
      await feed.parseAsync(['token', ...args], { from: 'user' });
      return lines.join('\n');
    }

    it('creates, lists and revokes tokens', async () => {
      const [, id, made] = /^(\d+) (ft_live_\w{38})$/.exec(
        await token('create', 'acme', '--sports', 'football, tennis', '--signed'),
      )!;
      assert.match(
        await token('list'),
        new RegExp(`^${id} acme, football tennis, signs, created 2024-\\S+ by operator, never used$`),
      );
      assert.ok(!(await token('list')).includes(made!));
      assert.equal(await token('revoke', id!), `feed token ${id} of acme is revoked`);
      assert.match(await token('list', 'acme'), /, revoked 2024-\S+Z$/);
      assert.equal(await token('list', 'bravo'), '');
    });

    it('explains errors', async () => {
      await assert.rejects(token('create', 'Acme Ltd'), /provider: must be at most 50 lower-case letters/);
      await assert.rejects(token('create', 'operator'), /provider: operator is the provider of corrections by hand/);
      await assert.rejects(
        token('create', 'acme', '--sports', 'fotball'),
        /sports: fotball: known sports are football/,
      );
      await assert.rejects(token('create', 'acme', '--sports', ','), /sports: must name at least one sport/);
      assert.deepEqual(await listFeedTokens(bench.db.pool), []);
    });
  });
});
