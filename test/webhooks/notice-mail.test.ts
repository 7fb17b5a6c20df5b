import assert from 'node:assert/strict';
import type { Letter } from '../../src/accounts/mail.ts';
import { setLanguage } from '../../src/accounts/members/index.ts';
import { webhookMail } from '../../src/site/texts/index.ts';
import { sendOneNotice } from '../../src/webhooks/delivery/notice-mail.ts';
import { type NoticeRow, saveNotices } from '../../src/webhooks/delivery/notice-queries.ts';
import { changeSubscription, endSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { createWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('mail about webhooks', () => {
  let fixture: WebhookFixture;
  let letters: Letter[];
  let deliver: (letter: Letter) => Promise<boolean>;
  let id: number;
  let number: number;

  beforeEach(async () => {
    fixture = await createWebhookFixture();
    letters = [];
    number = 0;
    deliver = async (letter) => letters.push(letter) > 0;
    const url = 'http://127.0.0.1:1/hook?token=hidden';
    ({ id } = await fixture.create({ url, description: 'goals\r\nBcc: x' }));
  });
  afterEach(() => fixture.close());

  const mail = {
    isConfigured: true,
    link: (path: string) => `https://touchline.test${path}`,
    send: () => false,
    deliver: (letter: Letter) => deliver(letter),
    close: async () => {},
  };
  const send = () => sendOneNotice({ pool: fixture.db.pool, clock: fixture.clock, mail, write: webhookMail });
  const sendAll = async () => {
    while (await send());
  };
  const save = (type: NoticeRow['type'], over: Partial<NoticeRow> = {}) => {
    number += 1;
    const notified = type === 'webhook.recovered' ? null : type === 'webhook.failing' ? 'failing' : 'disabled';
    const at = fixture.clock.now();
    const reason = type === 'webhook.disabled' ? 'no_success' : null;
    const failure = type === 'webhook.recovered' ? null : 'status 500';
    const row = {
      subscription_id: id,
      generation: 0,
      number,
      type,
      at,
      since: at - 6 * MINUTE,
      failure,
      reason,
      notified,
    };
    return saveNotices(fixture.db.pool, [{ ...row, ...over } as NoticeRow]);
  };
  const subjects = () => letters.map(({ subject }) => subject);
  const addMember = async (email: string, language: string | null) => {
    const { rows } = await fixture.db.pool.query(
      "INSERT INTO member (account_id, email, created_at) SELECT id, $1, now() FROM account WHERE email = 'webhooks@example.com' RETURNING id",
      [email],
    );
    if (language !== null) await setLanguage(fixture.db.pool, rows[0].id, language);
  };

  it('goes to the address of an account without members, in English', async () => {
    await save('webhook.failing');
    await sendAll();
    assert.deepEqual(letters, [
      {
        to: 'webhooks@example.com',
        subject: 'Webhook deliveries to 127.0.0.1 fail',
        text: `No delivery of your webhook subscription ${id} (goals Bcc: x) to 127.0.0.1 has succeeded since 2026-03-01T11:54:00Z. Last failure: status 500.

The events wait for up to seven days, and are sent when the endpoint answers again. After 72 hours without a success the subscription is disabled.

Deliveries and settings: https://touchline.test/account/webhooks/${id}
`,
        id: 'webhook-notice-1@touchline.test',
      },
    ]);
  });

  it('goes to each member, in the language of the account page that the member opened last', async () => {
    await addMember('ann@example.com', null);
    await addMember('ivan@example.com', 'ru');
    await addMember('joe@example.com', 'en');
    for (const [type, subject, russian] of [
      ['webhook.failing', 'Webhook deliveries to 127.0.0.1 fail', 'Доставки вебхука на 127.0.0.1 не проходят'],
      ['webhook.disabled', 'The webhook to 127.0.0.1 is disabled', 'Вебхук на 127.0.0.1 отключён'],
      [
        'webhook.recovered',
        'Webhook deliveries to 127.0.0.1 succeed again',
        'Доставки вебхука на 127.0.0.1 снова проходят',
      ],
    ] as const) {
      letters.length = 0;
      await save(type);
      await sendAll();
      fixture.clock.advance(HOUR);
      assert.deepEqual(
        letters.map(({ to, subject: got }) => [to, got]),
        [
          ['ann@example.com', subject],
          ['ivan@example.com', russian],
          ['joe@example.com', subject],
        ],
      );
      assert.equal(letters[0]!.text, letters[2]!.text);
      const [, { text }] = letters as [Letter, Letter];
      assert.match(text, /2026-03-01 \d\d:\d\d UTC/);
      assert.doesNotMatch(
        text.replace(/https:\S+|goals Bcc: x|UTC/g, ''),
        /[a-z]/i,
        'a Russian mail has no English words',
      );
      for (const letter of letters) assert.doesNotMatch(`${letter.subject}${letter.text}`, /hidden|\r|undefined|null/);
    }
  });

  it('says why a subscription is disabled, and with which cursor no event is missed', async () => {
    await addMember('ann@example.com', 'en');
    await addMember('ivan@example.com', 'ru');
    await fixture.db.pool.query('UPDATE webhook_subscription SET position = 4711 WHERE id = $1', [id]);
    await save('webhook.disabled', { reason: 'gone', failure: 'status 410' });
    await sendAll();
    assert.match(letters[0]!.text, /answered 410.*\n\n.*the cursor 4711/);
    assert.match(letters[1]!.text, /ответил 410.*\n\n.*курсором 4711/);
  });

  it('comes once an hour for a subscription, with the latest news, but at once if it is disabled', async () => {
    await save('webhook.failing');
    await sendAll();
    fixture.clock.advance(10 * MINUTE);
    await save('webhook.recovered');
    await sendAll();
    assert.equal(letters.length, 1);
    fixture.clock.advance(50 * MINUTE - 1);
    await sendAll();
    assert.equal(letters.length, 1);
    fixture.clock.advance(1);
    await sendAll();
    assert.deepEqual(subjects().slice(1), ['Webhook deliveries to 127.0.0.1 succeed again']);
    fixture.clock.advance(MINUTE);
    await save('webhook.failing');
    fixture.clock.advance(MINUTE);
    await save('webhook.disabled');
    await sendAll();
    assert.deepEqual(subjects().slice(2), ['The webhook to 127.0.0.1 is disabled']);
    fixture.clock.advance(5 * HOUR);
    await sendAll();
    assert.equal(letters.length, 3, 'the newest notice has replaced the one before');
  });

  it('does not report that a subscription has recovered from failures that no mail was about', async () => {
    await save('webhook.failing');
    fixture.clock.advance(MINUTE);
    await save('webhook.recovered');
    await sendAll();
    assert.deepEqual(letters, []);
    fixture.clock.advance(2 * HOUR);
    assert.equal(await send(), false);
  });

  it('is sent again with the same id if the process was killed while it was sent, or the mail server refused it', async () => {
    await save('webhook.failing');
    deliver = (letter) => {
      letters.push(letter);
      throw new Error('killed');
    };
    await assert.rejects(send(), /killed/);
    assert.equal(await send(), false, 'another process leaves it alone meanwhile');
    fixture.clock.advance(5 * MINUTE);
    deliver = async (letter) => letters.push(letter) < 0;
    await send();
    fixture.clock.advance(5 * MINUTE);
    deliver = async (letter) => letters.push(letter) > 0;
    await sendAll();
    fixture.clock.advance(5 * MINUTE);
    await sendAll();
    assert.deepEqual(
      letters.map((letter) => letter.id),
      Array.from({ length: 3 }, () => 'webhook-notice-1@touchline.test'),
    );
  });

  it('is sent by one of several processes', async () => {
    await save('webhook.failing');
    await Promise.all([send(), send(), send()]);
    assert.equal(letters.length, 1);
  });

  it('is not sent about a subscription that is paused or has ended, for a suspended or unverified account, or after a day', async () => {
    const { pool } = fixture.db;
    const unwanted: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        'suspended',
        () => pool.query('UPDATE account SET suspended_at = now()'),
        () => pool.query('UPDATE account SET suspended_at = NULL'),
      ],
      [
        'unverified',
        () => pool.query('UPDATE account SET awaits_verification = true'),
        () => pool.query('UPDATE account SET awaits_verification = false'),
      ],
      [
        'paused',
        () => changeSubscription(fixture.deps, id, { paused: true }),
        () => changeSubscription(fixture.deps, id, { paused: false }),
      ],
      ['late', async () => fixture.clock.advance(24 * HOUR), async () => {}],
      ['ended', () => endSubscription(fixture.deps, id), async () => {}],
    ];
    for (const [name, begin, end] of unwanted) {
      await save('webhook.failing');
      await begin();
      await sendAll();
      await end();
      fixture.clock.advance(HOUR);
      await sendAll();
      assert.deepEqual(letters, [], name);
    }
  });
});
