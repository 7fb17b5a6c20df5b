import assert from 'node:assert/strict';
import { Command, CommanderError } from 'commander';
import { pino } from 'pino';
import { readAudit } from '../../src/accounts/audit.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { addWebhookCommands } from '../../src/webhooks/api/command.ts';
import * as schema from '../../src/webhooks/api/schema.ts';
import { until } from '../support/until.ts';
import { ALLOW, createWebhookFixture, SECRET_KEYS, type WebhookFixture } from '../support/webhook-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE = 20_000;

describe('touchline webhook log, retry and replay', function () {
  this.timeout(60_000);
  let fixture: WebhookFixture;
  let receiver: Receiver;
  let id: number;
  let close: () => Promise<void>;
  /**
   * Runs the command, and returns its output.
   * @throws the command's error
   */
  let webhook: (...args: string[]) => Promise<string>;

  before(async () => {
    fixture = await createWebhookFixture();
    receiver = await startReceiver((got, response) =>
      got.id.endsWith('_3') ? response.writeHead(500).end('no\u001b[2J') : response.end('thanks'),
    );
    const logger = pino({ level: 'silent' });
    const changes = await openMatchChanges(fixture.db.url, logger);
    const config = { webhookAllow: ALLOW, secretKeys: SECRET_KEYS, kafkaBrokers: [], strict: false };
    const { pool, plans } = fixture.deps;
    const stores = { config, pool, plans, clock: fixture.clock, logger, changes } as never;
    close = () => changes.close();
    webhook = async (...args) => {
      const lines: string[] = [];
      const program = new Command('touchline').exitOverride().configureOutput({ writeErr() {} });
      addWebhookCommands(
        program,
        (work) => work(stores),
        (line) => lines.push(line),
      );
      await program.parseAsync(['node', 'touchline', 'webhook', ...args]);
      return lines.join('\n');
    };
    ({ id } = await fixture.create({ url: receiver.url }));
    await fixture.dispatch();
    await fixture.publish({}, {}, {}, { type: 'match.card' });
    await until('three are delivered', async () => (await fixture.read(id)).lag === 0, PATIENCE);
    await until('one has failed', async () => (await fixture.read(id)).pending === 1, PATIENCE);
  });
  after(async () => {
    await close();
    await fixture.close();
    await receiver.close();
  });

  const failed = () => `dlv_${id}_1_3`;

  it('lists deliveries like REST, as a table or as JSON, with the same filters and pages', async () => {
    const [head, ...rows] = (await webhook('log', String(id))).split('\n');
    assert.match(head!, /^DELIVERY +EVENT TYPE +STATE +ATTEMPTS +FIRST ATTEMPT +NEXT ATTEMPT +OUTCOME$/);
    assert.equal(rows.length, 4);
    assert.match(
      rows.find((row) => row.startsWith(failed()))!,
      /match\.goal +pending +1 +\S+Z +\S+Z +status 500, \d+ ms$/,
    );
    const all = schema.deliveries.parse(JSON.parse(await webhook('log', String(id), '--json')));
    assert.deepEqual([all.deliveries.length, all.next_cursor], [4, null]);
    const ids = async (...args: string[]) =>
      schema.deliveries
        .parse(JSON.parse(await webhook('log', String(id), '--json', ...args)))
        .deliveries.map((one) => one.id);
    assert.deepEqual(await ids('--state', 'pending'), [failed()]);
    assert.deepEqual(await ids('--event-type', 'match.card'), [`dlv_${id}_1_4`]);
    assert.equal((await ids('--match-id', '1')).length, 4);
    assert.deepEqual(await ids('--match-id', '2'), []);
    assert.deepEqual(await ids('--since', '2100-01-01'), []);
    assert.equal((await ids('--until', '2100-01-01T00:00:00+03:00')).length, 4);
    assert.equal(await webhook('log', String(id), '--state', 'failed'), 'no such deliveries');
    const page = (await webhook('log', String(id), '--limit', '3')).split('\n');
    const [, cursor] = /^older deliveries: --cursor (\S+)$/.exec(page.at(-1)!)!;
    const rest = (await webhook('log', String(id), '--limit', '3', '--cursor', cursor!)).split('\n');
    assert.deepEqual(
      [...page.slice(1, -1), ...rest.slice(1)].map((row) => row.split(' ')[0]).sort(),
      all.deliveries.map((one) => one.id).sort(),
    );
  });

  it('shows one delivery with the request and the attempts, and escapes the reply for the terminal', async () => {
    const text = await webhook('log', String(id), failed());
    assert.match(text, /\nRequest: \{"id":"evt_1_3".*\}\nAttempt 1, \S+Z: status 500, \d+ ms, reply "no\\u001b\[2J"$/);
    assert.ok(!text.includes('\u001b'));
    const one = schema.delivery.parse(JSON.parse(await webhook('log', String(id), `dlv_${id}_1_1`, '--json')));
    assert.deepEqual([one.log.length, one.log[0]!.reply], [1, 'thanks']);
    assert.equal((JSON.parse(one.body!) as { id: string }).id, 'evt_1_1');
  });

  it('sends one or all failed deliveries again, replays events, and records both in the account’s audit log', async () => {
    receiver.answer = (_request, response) => response.end();
    const sent = (event: string) => receiver.events().filter((one) => one.id === event).length;
    assert.equal(await webhook('retry', String(id), failed()), '1 delivery is retried now');
    await until('it is delivered', async () => (await fixture.read(id)).pending === 0, PATIENCE);
    assert.equal(sent('evt_1_3'), 2);
    await fixture.db.pool.query(`UPDATE webhook_delivery SET state = 'failed' WHERE id = $1`, [failed()]);
    const retried = await webhook('retry', String(id), '--failed-since', '2026-01-01', '--json');
    assert.deepEqual(schema.retried.parse(JSON.parse(retried)), { retried: 1, has_more: false });
    await until('it is sent again', () => sent('evt_1_3') === 3, PATIENCE);
    await until('it is saved', async () => (await fixture.read(id)).pending === 0, PATIENCE);
    assert.equal(await webhook('replay', String(id), '--cursor', '1'), 'events after cursor 1 are sent again');
    await until('the later ones are sent again', () => sent('evt_1_2') === 2 && sent('evt_1_4') === 2, PATIENCE);
    assert.equal(sent('evt_1_1'), 1);
    const item = schema.subscription.parse(
      JSON.parse(
        await webhook('replay', String(id), '--since', new Date(fixture.clock.now() - 60_000).toISOString(), '--json'),
      ),
    );
    assert.equal(item.id, id);
    await webhook('pause', String(id));
    await webhook('enable', String(id));
    const { rows } = await fixture.db.pool.query<{ id: number }>('SELECT id FROM account');
    const { entries } = await readAudit(fixture.db.pool, rows[0]!.id, 20);
    assert.deepEqual(
      entries.filter(({ target }) => target === `webhook ${id}`).map(({ actor, action }) => `${actor} ${action}`),
      ['enabled', 'paused', 'replayed', 'replayed', 'retried', 'retried'].map((action) => `operator webhook.${action}`),
    );
    assert.deepEqual(entries.find(({ action }) => action === 'webhook.replayed')!.target, `webhook ${id}`);
  });

  it('shows a deleted subscription’s deliveries, but refuses to retry, replay or test them', async () => {
    const { id: deleted } = await fixture.create({ url: receiver.url });
    await fixture.publish({});
    await until(
      'it is delivered',
      async () => (await webhook('log', String(deleted))).includes(' delivered '),
      PATIENCE,
    );
    const before = await webhook('log', String(deleted));
    await webhook('delete', String(deleted));
    assert.equal(await webhook('log', String(deleted)), before);
    const [delivery] = before.split('\n')[1]!.split(' ');
    assert.match(await webhook('log', String(deleted), delivery!), /Attempt 1, /);
    for (const args of [
      ['retry', String(deleted), delivery!],
      ['replay', String(deleted), '--cursor', '1'],
      ['test', String(deleted)],
    ])
      await assert.rejects(webhook(...args), { message: `There is no webhook subscription ${deleted}.` });
  });

  it('reports an impossible request in one clear line, which differs from the message about wrong usage', async () => {
    const one = String(id);
    for (const [args, message] of [
      [['log', '999'], 'There is no webhook subscription 999.'],
      [['retry', '999', failed()], 'There is no webhook subscription 999.'],
      [['replay', '999', '--cursor', '1'], 'There is no webhook subscription 999.'],
      [['log', one, `dlv_${id}_9_9`], `There is no delivery dlv_${id}_9_9 of subscription ${id}.`],
      [['log', one, '--cursor', 'nonsense'], 'The cursor is not a next_cursor that a list of deliveries has returned.'],
      [['retry', one, `dlv_${id}_1_1`], `The delivery dlv_${id}_1_1 was delivered; a replay sends its event again.`],
      [['replay', one, '--since', '2020-01-01'], 'Events of more than 7 days ago are no longer stored.'],
      [['replay', one, '--since', '2100-01-01'], 'since: must not be in the future'],
    ] as const)
      await assert.rejects(webhook(...args), { message }, args.join(' '));
    for (const args of [
      ['log'],
      ['log', 'x'],
      ['log', one, 'x'],
      ['log', one, '--state', 'lost'],
      ['log', one, '--event-type', 'match.nonsense'],
      ['log', one, '--limit', '0'],
      ['log', one, '--limit', '201'],
      ['log', one, '--since', 'yesterday'],
      ['log', one, failed(), '--state', 'failed'],
      ['retry', one],
      ['retry', one, failed(), '--failed-since', '2026-01-01'],
      ['replay', one],
      ['replay', one, '--cursor', '-1'],
      ['replay', one, '--cursor', '1', '--since', '2026-01-01'],
    ])
      await assert.rejects(webhook(...args), CommanderError, args.join(' '));
  });
});
