import assert from 'node:assert/strict';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { type Mail, openMail } from '../../src/accounts/mail.ts';
import { sendWindowNotice } from '../../src/accounts/quota-mail.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

interface Received {
  from: string;
  to: string[];
  text: string;
}

describe('mail', () => {
  const received: Received[] = [];
  let refusals = 0;
  let server: SMTPServer;
  let mail: Mail;
  let logged = '';
  before(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, done) {
        let text = '';
        stream.on('data', (chunk: Buffer) => {
          text += chunk;
        });
        stream.on('end', () => {
          if (refusals > 0) {
            refusals -= 1;
            done(Object.assign(new Error('try again'), { responseCode: 451 }));
            return;
          }
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            text,
          });
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.server.address() as { port: number };
    const logger = pino(
      { level: 'info' },
      {
        write(line: string) {
          logged += line;
        },
      },
    );
    mail = await openMail(
      {
        smtpUrl: `smtp://127.0.0.1:${port}?requireTLS=false`,
        mailFrom: 'Touchline <service@example.com>',
        baseUrl: 'https://example.com',
      },
      logger,
      [10, 10],
    );
  });
  beforeEach(() => received.splice(0));
  after(async () => {
    await mail.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  it('a message arrives with sender, subject and text', async () => {
    mail.send({
      to: 'ann@example.com',
      subject: 'A new password',
      text: 'Open https://example.com/account/reset?token=abc\n',
    });
    await until('it is there', () => received.length === 1);
    const [{ from, to, text }] = received as [Received];
    assert.deepEqual([from, to], ['service@example.com', ['ann@example.com']]);
    assert.match(text, /^From: Touchline <service@example.com>/m);
    assert.match(text, /^Subject: A new password/m);
    assert.match(text, /^Auto-Submitted: auto-generated/m);
    assert.match(text, /reset\?token=3Dabc|reset\?token=abc/);
  });

  it('a subject or an address cannot inject a header or a second recipient', async () => {
    mail.send({ to: 'ann@example.com', subject: 'Hello\r\nBcc: evil@example.com', text: 'x' });
    mail.send({ to: 'ann@example.com, evil@example.com', subject: 'two', text: 'x' });
    mail.send({ to: 'ann@example.com\r\nBcc: evil@example.com', subject: 'lines', text: 'x' });
    mail.send({ to: 'ann@example.com', subject: 'last', text: 'x' });
    await until('the last is there', () => received.some(({ text }) => /^Subject: last/m.test(text)));
    assert.ok(!received.some(({ to }) => to.includes('evil@example.com')));
    assert.ok(!received.some(({ text }) => /^Bcc:/m.test(text)));
  });

  it('a deferred message is retried a few times, and the text is not logged', async () => {
    refusals = 2;
    mail.send({ to: 'ann@example.com', subject: 'again', text: 'a secret link' });
    await until('it is there', () => received.length === 1);
    refusals = 3;
    mail.send({ to: 'ann@example.com', subject: 'given up', text: 'a secret link' });
    await until('it is given up', () => refusals === 0);
    assert.match(logged, /a mail could not be sent/);
    assert.ok(!logged.includes('a secret link'));
    assert.equal(received.length, 1);
  });

  it('a notice says how full a usage window is and when it restarts', async () => {
    const db = await createTestDatabase();
    try {
      const { accountId } = await createKey(db.pool, { now: Date.now }, { email: 'notice@example.com' });
      const day = { window: 'day', quota: 1_000, resetsAt: new Date('2026-03-02T00:00:00Z') } as const;
      const notice = { accountId, keys: 'sk', ...day } as const;
      const url = 'https://touchline.example.com/account/usage';
      await sendWindowNotice(db.pool, mail, { ...notice, percent: 80, used: 801 }, url);
      await sendWindowNotice(db.pool, mail, { ...notice, percent: 100, used: 1_000 }, undefined);
      await sendWindowNotice(db.pool, mail, { ...notice, accountId: 999, percent: 100, used: 1 }, undefined);
      await sendWindowNotice(db.pool, mail, { ...notice, keys: 'pk', percent: 80, used: 802 }, url);
      await until('all are there', () => received.length === 3);
      const texts = received.map(({ text }) => text.replaceAll('=\r\n', ''));
      const first = texts.find((text) => text.includes('801'))!;
      assert.match(first, /used 801 of the 1,000 requests that the plan trial has today/);
      assert.match(first, /2026-03-02T00:00:00Z/);
      assert.ok(first.includes(url));
      assert.ok(texts.some((text) => text.includes('used up')));
      assert.ok(
        texts.some((text) =>
          /The publishable keys of notice@example.com have used 802 of the 1,000 requests that the plan trial has for them today/.test(
            text,
          ),
        ),
      );
      assert.ok(received.every(({ to }) => to.join() === 'notice@example.com'));
    } finally {
      await db.drop();
    }
  });

  it("the client never sends in clear text unless the server's URL allows it", async () => {
    const { port } = server.server.address() as { port: number };
    const smtpUrl = `smtp://127.0.0.1:${port}`;
    let said = '';
    const logger = pino(
      { level: 'info' },
      {
        write(line: string) {
          said += line;
        },
      },
    );
    const strict = await openMail({ smtpUrl, baseUrl: undefined, mailFrom: 'x@example.com' }, logger, []);
    strict.send({ to: 'ann@example.com', subject: 'secret', text: 'x' });
    await until('it is given up', () => said.includes('could not be sent'));
    assert.equal(received.length, 0);
    assert.match(said, /STARTTLS/);
    const lax = await openMail(
      { smtpUrl: `${smtpUrl}?requireTLS=false`, baseUrl: undefined, mailFrom: 'x@example.com' },
      logger,
    );
    lax.send({ to: 'ann@example.com', subject: 'open', text: 'x' });
    await until('it is there', () => received.length === 1);
    await Promise.all([strict.close(), lax.close()]);
  });

  it('no message is sent without a mail server', async () => {
    const none = await openMail(
      { smtpUrl: undefined, baseUrl: undefined, mailFrom: 'x@example.com' },
      pino({ level: 'silent' }),
    );
    assert.equal(none.isConfigured, false);
    none.send({ to: 'ann@example.com', subject: 'x', text: 'x' });
  });
});
