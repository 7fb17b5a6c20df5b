import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatText } from '../../../src/webhooks/destinations/chat.ts';
import type { DestinationSettings } from '../../../src/webhooks/destinations/kinds.ts';
import { EXAMPLE_EVENT } from '../../../src/wire/envelope.ts';
import { destinationContract, type Mood } from '../../contracts/destination.ts';
import { until } from '../../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../../support/webhook-fixture.ts';

const PATIENCE = 20_000;

interface Posted {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}
interface ChatServer {
  url: string;
  posted: Posted[];
  mood: Mood;
  /** The reply to a refused message. */
  refusal: { status: number; headers?: Record<string, string>; body: string };
  close(): Promise<void>;
}

/** A server that answers as the chat services do. */
async function startChatServer(): Promise<ChatServer> {
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      if (chat.mood === 'hangs') return;
      if (chat.mood === 'refuses') {
        const { status, headers = {}, body } = chat.refusal;
        response.writeHead(status, headers).end(body);
        return;
      }
      chat.posted.push({
        path: request.url!,
        headers: request.headers,
        body: JSON.parse(text) as Record<string, unknown>,
      });
      response.writeHead(200, chat.mood === 'closes' ? { Connection: 'close' } : {}).end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const chat: ChatServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted: [],
    mood: 'accepts',
    refusal: { status: 500, body: 'no' },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return chat;
}

const TOKEN = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11';
/** For each kind: settings for a server, what has to stay the same as a secret, and where a request carries the text. */
const KINDS = {
  slack: {
    settings: (url: string): DestinationSettings => ({
      kind: 'slack',
      url: `${url}/services/T0/B0/secret-of-slack`,
      language: 'en',
    }),
    other: (url: string) => `${url}/services/T0/B0/another`,
    secret: 'url',
    hostile: { kind: 'slack', url: 'https://10.0.0.1/services/a', language: 'en' },
    elsewhere: null,
    text: ({ text }: Record<string, unknown>) => text,
  },
  discord: {
    settings: (url: string): DestinationSettings => ({
      kind: 'discord',
      url: `${url}/api/webhooks/1/secret-of-discord`,
      language: 'en',
    }),
    other: (url: string) => `${url}/api/webhooks/1/another`,
    secret: 'url',
    hostile: { kind: 'discord', url: 'https://[::1]/api/webhooks/1/a', language: 'en' },
    elsewhere: null,
    text: ({ content }: Record<string, unknown>) => content,
  },
  telegram: {
    settings: (url: string): DestinationSettings => ({
      kind: 'telegram',
      api: url,
      token: TOKEN,
      chat_id: '-1001',
      language: 'en',
    }),
    other: () => '654321:another-token-of-a-bot',
    secret: 'token',
    hostile: { kind: 'telegram', api: 'https://192.168.0.1', token: TOKEN, chat_id: '1', language: 'en' },
    elsewhere: { kind: 'telegram', api: 'http://127.0.0.1:1', token: TOKEN, chat_id: '-1001', language: 'en' },
    text: ({ text }: Record<string, unknown>) => text,
  },
} satisfies Record<string, unknown>;

for (const [kind, { settings, other, secret, hostile, elsewhere, text }] of Object.entries(KINDS)) {
  destinationContract(kind, async (fixture) => {
    const chat = await startChatServer();
    // The sides' names carry the match.
    const publish = fixture.publish.bind(fixture);
    fixture.publish = (...sketches) => publish(...sketches.map((one) => ({ ...one, name: `Match ${one.match}` })));
    return {
      settings: settings(chat.url),
      secret,
      otherSecret: other(chat.url),
      elsewhere: elsewhere as DestinationSettings | null,
      hostile: hostile as DestinationSettings,
      matches: () => chat.posted.flatMap(({ body }) => /Match (\d+)/.exec(String(text(body)))?.[1] ?? []).map(Number),
      behave(mood) {
        chat.mood = mood;
      },
      close: () => chat.close(),
    };
  });
}

describe('chat messages', function () {
  this.timeout(60_000);

  it('are one line, in English or Russian', () => {
    const goal = JSON.stringify(EXAMPLE_EVENT);
    assert.equal(chatText(goal, 'en'), '⚽ 80′ Argentina 2–1 France · Kylian Mbappé (pen.)');
    assert.equal(chatText(goal, 'ru'), '⚽ 80′ Аргентина 2–1 Франция · Kylian Mbappé (пен.)');
    const finished = { ...EXAMPLE_EVENT, type: 'match.finished', data: { ...EXAMPLE_EVENT.data, incident: undefined } };
    finished.data.match = { ...finished.data.match, status: 'finished', status_detail: 'ended' };
    assert.equal(chatText(JSON.stringify(finished), 'en'), '🏁 Argentina 2–1 France · Full time');
    assert.equal(chatText(JSON.stringify({ ...finished, type: 'match.odds_changed' }), 'en'), null);
  });

  it('tell of other subscriptions of the account', () => {
    const data = { subscription_id: 7, host: 'hooks.example.com', description: '' };
    const failing = JSON.stringify({ type: 'webhook.failing', data });
    assert.equal(chatText(failing, 'en'), '⚠ Deliveries fail: hooks.example.com (7)');
    const named = JSON.stringify({ type: 'webhook.recovered', data: { ...data, description: 'Табло' } });
    assert.equal(chatText(named, 'ru'), '✅ События снова доставляются: Табло (7)');
    assert.equal(chatText(JSON.stringify({ type: 'webhook.ping', data }), 'en'), null);
  });

  it('tell of changes in the account, without mentions', () => {
    const data = { cursor: 1, actor: 'ann@example.com', action: 'key.revoked', target: 'key 12', details: {} };
    const text = chatText(JSON.stringify({ type: 'account.changed', data }), 'en');
    assert.equal(text, '⚙ key.revoked: key 12 (ann@example.com)');
    const whole = JSON.stringify({ type: 'account.changed', data: { ...data, target: null } });
    assert.equal(chatText(whole, 'ru'), '⚙ key.revoked (ann@example.com)');
  });

  describe('on the wire', () => {
    let fixture: WebhookFixture;
    let chat: ChatServer;
    beforeEach(async () => {
      fixture = await createWebhookFixture();
      chat = await startChatServer();
    });
    afterEach(async () => {
      await fixture.close();
      await chat.close();
    });
    const have = (count: number) => until(`${count} messages have come`, () => chat.posted.length >= count, PATIENCE);
    const HOSTILE = '<!channel> @everyone *b* [x](https://a.example) `c`';

    it('escape hostile names, and mention nobody', async () => {
      for (const { settings } of Object.values(KINDS)) await fixture.create({ destination: settings(chat.url) });
      await fixture.dispatch();
      await fixture.publish({ match: 3, type: 'match.started', name: HOSTILE });
      await have(3);
      const [slack, discord, telegram] = ['/services', '/api', '/bot'].map(
        (start) => chat.posted.find(({ path }) => path.startsWith(start))!,
      );
      assert.match(String(slack!.body.text), /&lt;!channel&gt; @\u200beveryone/);
      assert.deepEqual([slack!.body.mrkdwn, slack!.body.unfurl_links], [false, false]);
      assert.match(String(discord!.body.content), /\\<!channel\\> @\u200beveryone \\\*b\\\* \\\[x\\\]\\\(https\\:/);
      assert.deepEqual(discord!.body.allowed_mentions, { parse: [] });
      assert.match(String(telegram!.body.text), /<!channel> @\u200beveryone \*b\*/);
      assert.deepEqual([telegram!.body.parse_mode, telegram!.body.chat_id], [undefined, '-1001']);
      assert.equal(telegram!.path, `/bot${TOKEN}/sendMessage`);
      for (const { headers } of chat.posted) assert.equal(headers['webhook-signature'], undefined);
    });

    it('come only for events that fans care about', async () => {
      const { id } = await fixture.create({ destination: KINDS.slack.settings(chat.url) });
      await fixture.dispatch();
      await fixture.publish(
        { match: 3, type: 'match.odds_changed' },
        { match: 3, type: 'match.finalized' },
        { match: 3, type: 'match.started' },
      );
      await have(1);
      await until('all are examined', async () => (await fixture.read(id)).lag === 0, PATIENCE);
      assert.deepEqual([chat.posted.length, (await fixture.attempts(id)).length], [1, 1]);
    });

    it('stop while the service asks to wait, without using up retries', async () => {
      const { id } = await fixture.create({ destination: KINDS.telegram.settings(chat.url) });
      chat.mood = 'refuses';
      chat.refusal = { status: 429, body: JSON.stringify({ ok: false, parameters: { retry_after: 1_800 } }) };
      await fixture.dispatch();
      await fixture.publish({ match: 3, type: 'match.started' }, { match: 4, type: 'match.started' });
      await until('it rests', async () => (await fixture.read(id)).restsUntil !== null, PATIENCE);
      const until0 = (await fixture.read(id)).restsUntil!.getTime();
      assert.equal(until0 - fixture.clock.now(), 1_800_000);
      // For an hour, the service gets one request each time its wait is over.
      fixture.clock.advance(1_801_000);
      await until('it rests again', async () => (await fixture.read(id)).restsUntil!.getTime() > until0, PATIENCE);
      chat.mood = 'accepts';
      fixture.clock.advance(1_801_000);
      await have(2);
      const attempts = (await fixture.attempts(id)).map(({ attempt }) => attempt);
      assert.ok(Math.max(...attempts) <= 1, String(attempts));
    });

    it('go only to a host of the service if a receiver has to agree', async () => {
      const strict = { ...fixture.deps.policy, handshake: 'always' as const };
      const { createSubscription } = await import('../../../src/webhooks/subscriptions/subscription.ts');
      const create = (destination: DestinationSettings) =>
        createSubscription({ ...fixture.deps, policy: strict }, { account: 'webhooks@example.com', destination });
      await assert.rejects(create(KINDS.slack.settings(chat.url)), /an address of the service itself/);
      await assert.rejects(
        create({
          kind: 'kafka',
          brokers: ['127.0.0.1:1'],
          topic: 'a',
          mechanism: 'plain',
          tls: false,
          username: null,
          password: null,
        }),
        /a user name and a password/,
      );
    });
  });
});
