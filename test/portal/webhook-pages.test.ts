import assert from 'node:assert/strict';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { type AccountApp, PASSWORD, startAccountApp, type Visitor } from '../support/account-app.ts';
import { eventWriter } from '../support/events.ts';
import { resourceOf } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATH = '/account/webhooks';
const EVIL = `"><script>alert(1)</script>`;

describe('the webhook pages', function () {
  this.timeout(60_000);
  let account: AccountApp;
  let receiver: Receiver;
  let ann: Visitor;
  let bob: Visitor;

  before(async () => {
    account = await startAccountApp();
    receiver = await startReceiver((_request, response) => response.end(`thanks ${EVIL}`));
    ann = (await account.signedUp('ann@example.com')).visitor;
    bob = (await account.signedUp('bob@example.com', '192.0.2.8')).visitor;
    await account.pool.query("UPDATE account SET plan = 'pro'");
  });
  after(async () => {
    await account.close();
    await receiver.close();
  });

  async function create(visitor: Visitor, form: Record<string, string> = {}): Promise<{ id: number; secret: string }> {
    const made = await visitor.post(PATH, { url: receiver.url, ...form });
    assert.equal(made.status, 200, made.text);
    const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(made.text)?.[0];
    assert.ok(secret, made.text);
    return { id: Number(/account\/webhooks\/(\d+)/.exec(made.text)![1]), secret };
  }
  const isShown = ({ status, text }: { status: number; text: string }, pattern: RegExp, expected = 200) => {
    assert.equal(status, expected, text);
    assert.match(text, pattern);
    assert.ok(!text.includes('<script>alert'), 'nothing that was entered runs');
  };

  it('a subscription is created by the form, tested, paused, enabled, rotated and deleted', async () => {
    isShown(await ann.get(PATH), /There are no subscriptions yet/);
    const { id, secret } = await create(ann, {
      description: `Goals ${EVIL}`,
      event_types: 'match.goal',
      sports: 'football',
    });
    isShown(await ann.get(PATH), /Goals &quot;&gt;&lt;script&gt;/);
    const page = await ann.get(`${PATH}/${id}`);
    isShown(page, /match\.goal/);
    assert.ok(!page.text.includes(secret), 'the secret is shown once');
    isShown(await ann.post(`${PATH}/${id}/test`, {}), /The test event was delivered[\s\S]*thanks &quot;/);
    const { headers, body } = receiver.received.at(-1)!;
    assert.equal(verifyWebhook(headers, body, secret, { now: account.clock.now() }).type, 'webhook.test');
    assert.equal((await ann.post(`${PATH}/${id}/pause`, {})).location, `${PATH}/${id}?done=paused`);
    isShown(
      await ann.get(`${PATH}/${id}?done=paused`),
      /The subscription is paused[\s\S]*It continues where it was paused/,
    );
    assert.equal((await ann.post(`${PATH}/${id}/enable`, {})).location, `${PATH}/${id}?done=enabled`);
    const rotated = await ann.post(`${PATH}/${id}/rotate`, {});
    isShown(rotated, /whsec_/);
    assert.ok(!rotated.text.includes(secret));
    assert.equal((await ann.post(`${PATH}/${id}/delete`, {})).location, `${PATH}?done=deleted`);
    isShown(await ann.get(`${PATH}/${id}`), /There is no webhook subscription/, 404);
    isShown(await ann.get('/account/audit'), />2026-03-01 12:00:00<\/time>[\s\S]*webhook rotated/);
    assert.ok(!account.logged().includes(secret.slice(6)));
  });

  it('a destination is chosen, created, shown without its secret, and changed', async () => {
    const TOKEN = '123456:a-token-of-a-bot-of-the-tests';
    isShown(await ann.get(PATH), /<a href="[^"]*\?to=telegram#new">Telegram<\/a>/);
    const empty = await ann.get(`${PATH}?to=telegram`);
    isShown(empty, /name="chat_id"[\s\S]*value="https:\/\/api.telegram.org"/);
    assert.doesNotMatch(empty.text, /name="url"|name="headers"/);
    assert.match((await ann.get(`${PATH}?to=fax`)).text, /name="url"/);
    const chat = {
      destination: 'telegram',
      token: TOKEN,
      chat_id: '-1001',
      api: receiver.url.replace(/\/hook$/, ''),
      language: 'ru',
    };
    const refused = await ann.post(PATH, { ...chat, api: 'https://10.0.0.1' });
    isShown(refused, /not a public address/, 422);
    assert.ok(!refused.text.includes(TOKEN) && refused.text.includes('-1001'), 'the input is kept without the secret');
    isShown(await ann.post(PATH, { ...chat, token: '' }), /token is missing/, 422);
    const made = await ann.post(PATH, { ...chat, api: new URL(receiver.url).origin });
    assert.equal(made.status, 200, made.text);
    const id = Number(/account\/webhooks\/(\d+)/.exec(made.text)![1]);
    isShown(await ann.get(`${PATH}/${id}`), /telegram:\/\/127\.0\.0\.1:\d+\/-1001/);
    const edit = await ann.get(`${PATH}/${id}/edit`);
    isShown(edit, /name="token" type="password"/);
    for (const { text } of [made, edit, await ann.get(PATH)]) assert.ok(!text.includes(TOKEN));
    const form = { ...chat, api: new URL(receiver.url).origin, token: '', ordering: 'match' };
    assert.equal(
      (await ann.post(`${PATH}/${id}/edit`, { ...form, chat_id: '@results' })).location,
      `${PATH}/${id}?done=changed`,
    );
    isShown(await ann.post(`${PATH}/${id}/test`, {}), /The test event was delivered/);
    assert.deepEqual(JSON.parse(receiver.received.at(-1)!.body), {
      chat_id: '@results',
      text: 'Проверочное сообщение Touchline',
      link_preview_options: { is_disabled: true },
    });
    assert.equal(receiver.received.at(-1)!.path, `/bot${TOKEN}/sendMessage`);
    isShown(await ann.post(`${PATH}/${id}/confirm`, {}), /Only URLs are confirmed/, 409);
    assert.ok(!account.logged().includes(TOKEN));
    assert.ok(!(await ann.get('/account/audit')).text.includes(TOKEN));
    for (const kind of ['kafka', 'mqtt', 'slack', 'discord'])
      isShown(await ann.get(`${PATH}?to=${kind}`), /type="password"/);
  });

  it('a confirmation is needed to rotate a secret and to delete a subscription', async () => {
    const { id } = await create(ann);
    const { text } = await ann.get(`${PATH}/${id}`);
    for (const action of ['rotate', 'delete']) {
      const [form, ...others] = [...text.matchAll(/<form[^>]*action="[^"]*\/(\w+)"/g)].filter(
        ([, to]) => to === action,
      );
      assert.ok(form !== undefined && others.length === 0, action);
      const before = text.slice(0, form.index);
      const [opened, closed] = [before.lastIndexOf('<details class="confirmation">'), before.lastIndexOf('</details>')];
      assert.ok(opened > closed, `${action} is inside of a question that is closed at first`);
      assert.doesNotMatch(text, /<details class="confirmation" open/);
    }
  });

  it('the URL field’s label and error use the same word', async () => {
    isShown(await ann.get(PATH), /<label for="field-url">URL<\/label>/);
    isShown(await ann.post(PATH, { url: 'nowhere' }), /role="alert">URL: [^<]+/, 422);
  });

  it('a member whose plan has no webhooks is told so before the form', async () => {
    const { visitor } = await account.signedUp('free@example.com', '192.0.2.9');
    const page = await visitor.get(PATH);
    isShown(page, /Webhooks are part of the plans pro and business, not of trial\. <a href="\/account\/plan">/);
    assert.doesNotMatch(page.text, /name="url"/);
    assert.doesNotMatch((await ann.get(PATH)).text, /Webhooks are part of/);
    // The plan may change while a member fills in the form.
    const refused = await visitor.post(PATH, { url: receiver.url, description: 'kept' });
    isShown(refused, /role="alert">Webhooks are part of[\s\S]*value="kept"/, 402);
  });

  it('a delivery shows the headers that were sent, with the attempt’s time to the second, and never the secret', async () => {
    const { id, secret } = await create(ann);
    await ann.post(`${PATH}/${id}/test`, {});
    const { headers } = receiver.received.at(-1)!;
    const log = `${PATH}/${id}/deliveries`;
    const list = await ann.get(log);
    isShown(list, />2026-03-01 12:00:00<\/time>/);
    const delivery = `${log}/${headers['x-service-delivery-id']}`;
    const headersShown = async () =>
      /aria-label="Headers of attempt 1"><code>([^<]*)/.exec((await ann.get(delivery)).text)![1]!;
    const sent = (await headersShown())
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]);
    assert.equal(sent.length, 9);
    for (const [name, value] of sent) assert.equal(value, headers[name.toLowerCase()], name);
    const { text } = await ann.get(delivery);
    assert.match(text, /aria-label="Request"><code>\{\n {2}&quot;id&quot;: /, 'the body has line breaks');
    assert.match(text, /<summary>The body of the request, as it was sent<\/summary><pre[^>]*><code>\{&quot;id&quot;:/);
    assert.ok(!text.includes(secret.slice(6)));
    await ann.post(`${PATH}/${id}/rotate`, {});
    assert.doesNotMatch(await headersShown(), /signature/i);
    isShown(await ann.get(delivery), /The secret was rotated since/);
    await account.pool.query('UPDATE webhook_attempt SET body = NULL WHERE subscription_id = $1', [id]);
    isShown(await ann.get(delivery), /The body is not stored any more, so the signature is not known/);
    assert.match(await headersShown(), /X-Service-Attempt: 1/);
  });

  it('an attempt within a day after a rotation shows signatures by both secrets, and a later attempt only one', async () => {
    const { id } = await create(ann);
    await ann.post(`${PATH}/${id}/rotate`, {});
    for (const [hours, signatures] of [
      [1, 2],
      [24, 1],
    ] as const) {
      account.clock.advance(hours * 3_600_000);
      await ann.post('/account/sign-in', { email: 'ann@example.com', password: PASSWORD });
      isShown(await ann.post(`${PATH}/${id}/test`, {}), /was delivered/);
      const { headers } = receiver.received.at(-1)!;
      const { text } = await ann.get(`${PATH}/${id}/deliveries/${headers['x-service-delivery-id']}`);
      const given = /X-Service-Signature: (.*)/.exec(text)![1]!;
      assert.equal(given, headers['x-service-signature']);
      assert.equal(given.split(',').length, signatures);
    }
  });

  it('errors are shown above the form, which keeps the input', async () => {
    for (const [form, pattern] of [
      [{ url: 'https://10.0.0.1/' }, /URL: is not a public address/],
      [{ url: `https://example.com/${EVIL}` }, /URL: /],
      [{ match_ids: `5 ${EVIL}` }, /Match ids: /],
      [{ participant_ids: '-1' }, /Participant ids: -1 is not an id/],
      [{ event_types: 'match.gaol' }, /Event types: unknown event type/],
      [{ sports: 'chess' }, /Sports: unknown sport/],
      [{ leagues: 'x' }, /Leagues: x is not an id/],
      [{ conditions: 'data.match.minutes >= 1' }, /Conditions: events have no field data\.match\.minutes/],
      [{ headers: 'no colon' }, /Headers: must have a name/],
      [{ headers: `Host: ${EVIL}` }, /Headers: &quot;Host&quot; is set by the service/],
      [{ max_per_second: '0' }, /Max per second: must be a whole number from 1 to 10000/],
      [{ max_in_flight: '1e9' }, /Max in flight: must be a whole number/],
      [{ delay: '601' }, /Delay: must be a whole number from 0 to 600/],
      [{ delay: '1e9' }, /Delay: must be a whole number/],
      [{ delay: '-1' }, /Delay: must be a whole number/],
      [{ ordering: 'league' }, /Ordering: must be one of none, match/],
    ] as const) {
      const refused = await ann.post(PATH, { url: receiver.url, description: 'kept', ...form });
      isShown(refused, pattern, 422);
    }
    const refused = await ann.post(PATH, { url: 'https://10.0.0.1/', description: 'kept', match_ids: '7 8' });
    isShown(refused, /value="kept"[\s\S]*value="7 8"/, 422);
    assert.doesNotMatch((await ann.get(PATH)).text, /kept/);
  });

  it('leagues can be searched within the form, and the selected leagues stay', async () => {
    await account.pool.query(
      `INSERT INTO tournament (id, sport, country, name, key, gender) OVERRIDING SYSTEM VALUE
       SELECT 900 + n, 'football', 'INT', 'League of Tests ' || n, 'leagueoftests' || n, 'men' FROM generate_series(1, 3) n`,
    );
    const found = await ann.post(PATH, {
      url: receiver.url,
      description: 'kept',
      league_search: 'of tests',
      search: '1',
    });
    isShown(found, /value="901"> <span>League of Tests 1[\s\S]*value="903">/);
    assert.match(found.text, /value="kept"/);
    const { id } = await create(ann, { leagues: '902' });
    isShown(await ann.get(`${PATH}/${id}`), /<dt>Leagues<\/dt><dd>902/);
    const searched = await ann.post(`${PATH}/${id}/edit`, {
      url: receiver.url,
      leagues: '902',
      league_search: 'nothing',
      search: '1',
    });
    isShown(searched, /value="902" checked[\s\S]*No other league was found/);
    assert.equal((await ann.post(`${PATH}/${id}/edit`, { url: receiver.url })).location, `${PATH}/${id}?done=changed`);
    isShown(await ann.get(`${PATH}/${id}`), /<dt>Leagues<\/dt><dd>all/);
  });

  it('order, pace, conditions and headers are set, shown and kept by the form, and a secret value is never shown', async () => {
    const { id } = await create(ann, {
      ordering: 'match',
      max_per_second: '50',
      delay: '45',
      conditions: 'data.match.minute >= 80\r\ndata.incident.kind = goal\r\n',
      headers: `X-Team: ${EVIL}`,
      secret_headers: 'Authorization: Bearer of-the-receiver',
    });
    const page = await ann.get(`${PATH}/${id}`);
    isShown(page, /data\.match\.minute &gt;= 80; data\.incident\.kind = goal/);
    isShown(page, /by match[\s\S]*at most 50 requests a second/);
    isShown(page, /45 s after each event/);
    isShown(page, /Authorization: ••••••••/);
    const form = await ann.get(`${PATH}/${id}/edit`);
    isShown(form, /Authorization: ••••••••<\/textarea>/);
    isShown(form, /name="delay"[^>]*value="45"/);
    assert.ok(![page, form].some(({ text }) => text.includes('of-the-receiver')));
    const saved = await ann.post(`${PATH}/${id}/edit`, {
      url: receiver.url,
      ordering: 'none',
      secret_headers: 'Authorization: ••••••••',
    });
    assert.equal(saved.location, `${PATH}/${id}?done=changed`);
    await ann.post(`${PATH}/${id}/test`, {});
    assert.equal(receiver.received.at(-1)!.headers.authorization, 'Bearer of-the-receiver');
    const tried = await ann.post(PATH, { url: receiver.url, conditions: 'data.match.minute >= 80', preview: '1' });
    isShown(tried, /What the filters let through[\s\S]*data\.match\.minute &gt;= 80<\/textarea>/);
    isShown(await ann.post(PATH, { url: receiver.url, conditions: 'nonsense', preview: '1' }), /Conditions: /, 422);
  });

  it('stored events can be searched, read, and sent to a subscription', async () => {
    const { id } = await create(ann, { description: `Mine ${EVIL}` });
    await eventWriter().write(account.pool, [{ match: 71 }, { match: 72, sport: 'tennis' }]);
    const lease = (await relayLease.take(account.pool, 'test'))!;
    const log = openPostgresLog(account.pool);
    while ((await log.move(lease)) > 0);
    await log.close();
    const events = '/account/events';
    isShown(await ann.get(`${events}?match_id=71`), /evt_71_1/);
    const found = await ann.get(`${events}?sport=tennis`);
    isShown(found, /evt_72_1/);
    assert.doesNotMatch(found.text, /evt_71_1/);
    const [, cursor] = /events\/(\d+)">/.exec(found.text)!;
    const page = await ann.get(`${events}/${cursor}`);
    isShown(page, /None of your subscriptions got it[\s\S]*&quot;id&quot;: &quot;evt_72_1&quot;/);
    assert.doesNotMatch((await bob.get(`${events}/${cursor}`)).text, /Mine/);
    const sent = await ann.post(`${events}/${cursor}/send`, { subscription: String(id) });
    assert.equal(sent.location, `${PATH}/${id}/deliveries/dlv_${id}_72_1`);
    isShown(await ann.get(sent.location!), /evt_72_1[\s\S]*pending/);
    isShown(
      await bob.post(`${events}/${cursor}/send`, { subscription: String(id) }),
      /There is no webhook subscription/,
      404,
    );
    isShown(await ann.get(`${events}/999999999`), /No event with the cursor/, 404);
    isShown(await ann.get(`${events}?match_id=x`), /Match id: is not an id/, 422);
    isShown(await ann.get(`${events}?since=2999-01-01T00:00`), /There are no such events/);
  });

  it('the delivery log can be filtered and paged, and a delivery shows request, reply and attempts and can be retried', async () => {
    const { id } = await create(ann);
    const now = new Date(account.clock.now() - 60_000);
    await account.pool.query(
      `INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, created_at, updated_at)
       SELECT 'dlv_' || $1::bigint || '_5_' || n, $1, 'evt_5_' || n, 'match.goal', $3, 'failed', 7, $2, $2 FROM generate_series(1, 60) n`,
      [id, now, `{"id":"evt_5_1","x":"${EVIL.replaceAll('"', '')}"}`],
    );
    await account.pool.query(
      `INSERT INTO webhook_attempt (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms, status, failure, reply)
       VALUES ($1, 'dlv_' || $1::bigint || '_5_7', 'evt_5_7', 'match.goal', 7, $2, 31, 500, 'status 500', $3)`,
      [id, now, `oops ${EVIL}`],
    );
    const log = `${PATH}/${id}/deliveries`;
    const first = await ann.get(`${log}?state=failed&event_type=&match_id=5`);
    isShown(first, /Older deliveries/);
    const older = /href="([^"]+)">Older/.exec(first.text)![1]!.replaceAll('&amp;', '&');
    const second = await ann.get(older);
    assert.equal([...first.text.matchAll(/<th scope="row">/g)].length, 50);
    assert.equal([...second.text.matchAll(/<th scope="row">/g)].length, 10);
    isShown(await ann.get(`${log}?state=pending`), /There are no such deliveries/);
    isShown(await ann.get(`${log}?match_id=${encodeURIComponent(EVIL)}`), /Match id: is not an id/, 422);
    isShown(await ann.get(`${log}?cursor=x`), /cursor/, 422);
    const one = `${log}/dlv_${id}_5_7`;
    isShown(await ann.get(one), /&quot;id&quot;:&quot;evt_5_1[\s\S]*oops &quot;&gt;/);
    assert.equal((await ann.post(`${one}/retry`, {})).location, `${log}?done=retried`);
    isShown(await ann.get(`${log}?done=retried`), /The delivery is retried now/);
    assert.equal((await ann.post(`${log}/retry`, { since: '2026-03-01T11:00' })).location, `${log}?done=retried-59`);
    isShown(await ann.get(`${log}?done=retried-59`), /59 deliveries are retried now/);
    isShown(await ann.post(`${log}/retry`, { since: 'soon' }), /Since: is not a time/, 422);
    isShown(await ann.post(`${PATH}/${id}/replay`, { since: '2026-01-01T00:00' }), /no longer stored/, 410);
    assert.equal((await ann.post(`${PATH}/${id}/replay`, { cursor: '0' })).location, `${PATH}/${id}?done=replayed`);
    isShown(await ann.post(`${PATH}/${id}/replay`, {}), /Since: is required, unless a cursor is given/, 422);
  });

  it('a disabled subscription gives the reason, and can be enabled with new events, from its position, or from a time', async () => {
    const { id } = await create(ann);
    const disable = () =>
      account.pool.query(
        "UPDATE webhook_subscription SET disabled_at = now(), disabled_reason = 'gone' WHERE id = $1",
        [id],
      );
    const ways: Record<string, string>[] = [{ from: 'new' }, { from: 'position' }, { from: 'given', cursor: '0' }];
    for (const form of ways) {
      await disable();
      isShown(await ann.get(`${PATH}/${id}`), /The endpoint answered 410/);
      assert.equal((await ann.post(`${PATH}/${id}/enable`, form)).location, `${PATH}/${id}?done=enabled`);
    }
    await disable();
    isShown(await ann.post(`${PATH}/${id}/enable`, { from: 'given' }), /is required, unless a cursor is given/, 422);
  });

  it('an unconfirmed subscription is marked as such, and offers to confirm instead of sending a test event', async () => {
    const { id } = await create(ann);
    await account.pool.query('UPDATE webhook_subscription SET unconfirmed_since = $2 WHERE id = $1', [
      id,
      new Date(account.clock.now()),
    ]);
    const shown = await ann.get(`${PATH}/${id}`);
    isShown(shown, /unconfirmed<br>[\s\S]*has not answered a challenge yet[\s\S]*Send a challenge/);
    assert.doesNotMatch(shown.text, /Send a test event/);
    isShown(await ann.post(`${PATH}/${id}/test`, {}), /confirm it first/, 409);
    const { answer } = receiver;
    receiver.answer = (_request, response) => response.end('<b>no</b>');
    isShown(
      await ann.post(`${PATH}/${id}/confirm`, {}),
      /The URL is not confirmed[\s\S]*does not repeat[\s\S]*&lt;b&gt;no/,
    );
    receiver.answer = ({ body }, response) => response.end(JSON.parse(body).data.challenge);
    isShown(await ann.post(`${PATH}/${id}/confirm`, {}), /The URL is confirmed[\s\S]*Send a test event/);
    receiver.answer = answer;
  });

  it('a subscription from a custom resource is shown as managed in the cluster', async () => {
    const { pool, clock, guard, policy, plans, config } = account.deps;
    const { id } = await createSubscription(
      { pool, clock, guard, policy, plans, secretKeys: config.secretKeys },
      { account: 'ann@example.com', url: receiver.url, managedBy: resourceOf('sports', 'goals') },
    );
    const { text } = await ann.get(`${PATH}/${id}`);
    assert.match(text, /by the cluster: WebhookSubscription <code>goals<\/code>/);
    assert.doesNotMatch(text, /Rotate|Delete|Change the settings/);
    for (const action of ['pause', 'rotate', 'delete', 'edit'])
      isShown(await ann.post(`${PATH}/${id}/${action}`, { url: receiver.url }), /declared in the cluster/, 409);
    isShown(await ann.post(`${PATH}/${id}/test`, {}), /was delivered/);
  });

  it("pages and forms for another account's subscription do not exist, and a form from another site changes no data", async () => {
    const { id } = await create(ann, { description: 'private to Ann' });
    const before = (await account.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id])).rows;
    const sent = receiver.received.length;
    for (const path of ['', '/edit', '/deliveries', `/deliveries/dlv_${id}_1_1`]) {
      const { status, text } = await bob.get(`${PATH}/${id}${path}`);
      assert.equal(status, 404, path);
      assert.ok(!text.includes('private to Ann'));
    }
    const actions = ['edit', 'test', 'pause', 'enable', 'replay', 'delete', 'rotate', 'deliveries/retry'];
    for (const path of [...actions, `deliveries/dlv_${id}_1_1/retry`]) {
      const form = { url: receiver.url, since: '2026-03-01T11:00', cursor: '0' };
      assert.equal((await bob.post(`${PATH}/${id}/${path}`, form)).status, 404, path);
      assert.equal(
        (await ann.post(`${PATH}/${id}/${path}`, form, { Origin: 'https://evil.example' })).status,
        403,
        path,
      );
      const stranger = account.visitor();
      assert.match((await stranger.post(`${PATH}/${id}/${path}`, form)).location ?? '', /^\/account\/sign-in/, path);
    }
    assert.equal((await ann.post(PATH, { url: receiver.url }, { Origin: 'https://evil.example' })).status, 403);
    assert.deepEqual((await account.pool.query('SELECT * FROM webhook_subscription WHERE id = $1', [id])).rows, before);
    assert.equal(receiver.received.length, sent);
  });
});
