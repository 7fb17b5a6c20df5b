/** Tests every way to connect to a managed Kafka, and the message for every refusal. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import type { AclOperationTypes } from 'kafkajs';
import { KAFKA_MECHANISMS, type KafkaAccess } from '../../../src/config/kafka.ts';
import { KafkaRefused } from '../../../src/events/kafka-access.ts';
import { openKafkaConnection } from '../../../src/events/kafka-connection.ts';
import { KafkaConnector } from '../../../src/events/kafka-connector.ts';
import { type KafkaLog, openKafkaLog } from '../../../src/events/kafka-log.ts';
import { startRelay } from '../../../src/relay/relay.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { StartWait } from '../../../src/start-wait.ts';
import { makeAuthority } from '../../support/certificates.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventWriter } from '../../support/events.ts';
import { sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import {
  type KafkaListeners,
  PASSWORD,
  SHORT_SESSION_MS,
  STRANGER,
  USER,
  unsecuredToken,
} from '../../support/kafka-listeners.ts';
import { until } from '../../support/until.ts';

const { Kafka: Client } = createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs');

after(stopSharedKafka);

(process.env.KAFKA_BROKERS ? describe.skip : describe)('access to Kafka', function () {
  this.timeout(60_000);
  const topic = `touchline.access.${process.pid}`;
  let plaintext: string;
  let secured: KafkaListeners;
  let file: KafkaListeners['file'];
  before(async () => {
    const kafka = await sharedKafka();
    plaintext = kafka.broker;
    secured = kafka.secured!;
    ({ file } = secured);
    // Soon after its start, on a busy machine, a broker takes seconds for the first handshake.
    await until(
      'TLS works',
      () =>
        use(secured.brokers.tls, secured.tls).then(
          () => true,
          () => false,
        ),
      30_000,
    );
  });

  const token = (name: string, user: string, seconds?: number) => file(name, unsecuredToken(user, seconds));
  const options = (broker: string, access: KafkaAccess) => ({ brokers: [broker], topic, access, debug: () => {} });

  /** Sends the requests that the relay and readers send. */
  async function use(broker: string, access: KafkaAccess): Promise<void> {
    const connection = await openKafkaConnection(options(broker, access));
    try {
      const offset = await connection.append([{ key: '1', value: 'it', headers: {} }]);
      const { records } = await connection.fetch(offset, { bytes: 1_000 });
      assert.equal(records[0]!.value, 'it');
      assert.equal((await connection.describe()).partitions, 1);
    } finally {
      connection.close();
    }
  }
  const refused = (broker: string, access: KafkaAccess, expected: RegExp) =>
    assert.rejects(use(broker, access), (error: Error) => {
      assert.ok(error instanceof KafkaRefused, String(error));
      assert.match(error.message, expected);
      return true;
    });

  it('the log works with TLS', () => use(secured.brokers.tls, secured.tls));
  it('the log works with a client certificate', () => use(secured.brokers.mtls, secured.mutual));
  for (const kafkaSasl of KAFKA_MECHANISMS) {
    it(`the log works with TLS and ${kafkaSasl}`, () =>
      kafkaSasl === 'oauthbearer'
        ? use(secured.brokers.sasl, { ...secured.tls, kafkaSasl, kafkaTokenFile: token('token', USER) })
        : use(secured.brokers.sasl, { ...secured.scram, kafkaSasl }));
  }

  it('the error explains a broker certificate that is not accepted', async () => {
    const { tls, brokers } = secured;
    const other = makeAuthority();
    const kafkaCaFile = file('other.pem', other.ca);
    other.remove();
    await refused(brokers.tls, { kafkaTls: true }, /^the broker's certificate is not trusted: /);
    await refused(brokers.tls, { ...tls, kafkaCaFile }, /^the broker's certificate is not trusted: /);
    await refused(brokers.expired, tls, /^the broker's certificate has expired$/);
    const renamed = brokers.tls.replace('127.0.0.1', 'localhost');
    await refused(renamed, tls, /^the broker's certificate is for another host: Host: localhost/);
  });

  it('the error explains a client certificate that is not accepted', async () => {
    const { mtls } = secured.brokers;
    const other = makeAuthority();
    const signed = { strange: other.sign('DNS:x'), over: secured.authority.sign('DNS:x', 0) };
    other.remove();
    const own = secured.authority.sign('DNS:x');
    const files = (name: string, { cert, key }: typeof own): KafkaAccess => ({
      ...secured.tls,
      kafkaCertFile: file(`${name}.pem`, cert),
      kafkaKeyFile: file(`${name}.key`, key),
    });
    await refused(mtls, secured.tls, /^the broker asks for a client certificate/);
    await refused(mtls, files('strange', signed.strange), /^the broker refuses our client certificate/);
    await refused(mtls, files('over', signed.over), /^the broker refuses our client certificate/);
    await refused(
      mtls,
      files('rightless', own),
      /^the broker does not allow us to use the topic .* \(TOPIC_AUTHORIZATION/,
    );
  });

  it('the error explains a user that is not accepted', async () => {
    const { brokers, scram, tls } = secured;
    for (const kafkaSasl of ['plain', 'scram-sha-256', 'scram-sha-512'] as const) {
      const access = { ...scram, kafkaSasl };
      const wrong = /^the broker does not accept KAFKA_USERNAME or its password: Authentication failed/;
      await refused(brokers.sasl, { ...access, kafkaPassword: 'wrong' }, wrong);
      await refused(brokers.sasl, { ...access, kafkaUsername: 'nobody' }, wrong);
    }
    const bearer: KafkaAccess = { ...tls, kafkaSasl: 'oauthbearer' };
    const invalid = /^the broker does not accept the token of KAFKA_TOKEN_FILE: .*invalid_token/;
    await refused(brokers.sasl, { ...bearer, kafkaTokenFile: token('late', USER, -60) }, invalid);
    await refused(brokers.sasl, { ...bearer, kafkaTokenFile: file('junk', 'junk') }, invalid);
    await refused(brokers.sasl, { ...bearer, kafkaTokenFile: '/nowhere' }, /^KAFKA_TOKEN_FILE: cannot read/);
    await refused(brokers.short, scram, /^the broker does not offer KAFKA_SASL=scram-sha-256 here$/);
    await refused(brokers.tls, scram, /^the broker does not authenticate users here/);
    const stranger = { ...scram, kafkaUsername: STRANGER };
    await refused(brokers.sasl, stranger, /^the broker does not allow us to use the topic touchline\.access/);
  });

  it('a user with the documented rights can read, and an error names a missing right', async () => {
    const { brokers, scram } = secured;
    const admin = new Client({ brokers: [plaintext], logLevel: 0 }).admin();
    await admin.connect();
    const allow = (...operations: AclOperationTypes[]) =>
      admin.createAcls({
        acl: operations.map((operation) => ({
          resourceType: 2,
          resourceName: topic,
          resourcePatternType: 3,
          principal: `User:${STRANGER}`,
          host: '*',
          operation,
          permissionType: 3,
        })),
      });
    const [read, write, remove, describe, describeConfigs] = [3, 4, 6, 8, 10];
    await use(plaintext, {});
    await allow(describe!, read!);
    const access = { ...scram, kafkaUsername: STRANGER };
    // A right that was just granted takes a moment to reach the broker.
    let connection = await openKafkaConnection(options(brokers.sasl, access)).catch(() => null);
    await until('it may describe', async () => {
      connection ??= await openKafkaConnection(options(brokers.sasl, access)).catch(() => null);
      return connection !== null;
    });
    const lacks = (what: string) => ({
      message: `the broker does not allow us to ${what} (TOPIC_AUTHORIZATION_FAILED)`,
    });
    const record = [{ key: '1', value: 'it', headers: {} }];
    const { start, end } = await connection!.bounds();
    assert.ok((await connection!.fetch(start, { bytes: 1_000 })).records.length > 0);
    await assert.rejects(connection!.describe(), lacks(`read the settings of the topic ${topic}`));
    await assert.rejects(connection!.append(record), lacks(`write to the topic ${topic}`));
    await assert.rejects(connection!.dropBefore(start), lacks(`delete records of the topic ${topic}`));
    await allow(describeConfigs!, write!, remove!);
    await until('it may write', () =>
      connection!.append(record).then(
        () => true,
        () => false,
      ),
    );
    assert.ok((await connection!.bounds()).end > end);
    await connection!.dropBefore(start);
    assert.equal((await connection!.describe()).partitions, 1);
    connection!.close();
    await admin.disconnect();
  });

  it('the error gives a hint if a broker ends a connection without a message', async () => {
    const { brokers, tls } = secured;
    const closed = 'the broker closed the connection without an answer; does this listener want ';
    const hint = async (broker: string, access: KafkaAccess, wanted: string) =>
      assert.rejects(use(broker, access), { message: `${closed}${wanted}?` });
    await hint(brokers.tls, {}, 'KAFKA_TLS=1 or KAFKA_SASL');
    await hint(brokers.sasl, tls, 'KAFKA_SASL');
    await hint(plaintext, tls, 'no KAFKA_TLS');
  });

  it('a password sent in clear text is accepted with a warning', async () => {
    const warnings: unknown[] = [];
    const { kafkaUsername, kafkaPassword } = secured.scram;
    const access = { kafkaSasl: 'plain', kafkaUsername, kafkaPassword } as const;
    const db = await createTestDatabase();
    const log = await openKafkaLog({
      brokers: [secured.brokers.bare],
      access,
      topic,
      pool: db.pool,
      logger: { warn: (...line: unknown[]) => void warnings.push(line.at(-1)), debug: () => {} },
    });
    await log.close();
    await db.drop();
    assert.ok(warnings.includes('KAFKA_SASL=plain without KAFKA_TLS=1 sends the secret unencrypted'), String(warnings));
  });

  it('a broker that ends during authentication counts as unavailable, not as a refusal', async () => {
    const [host, port] = secured.brokers.sasl.split(':') as [string, string];
    let sockets: net.Socket[] = [];
    const cutting = net.createServer((client) => {
      const upstream = net.connect(Number(port), host);
      sockets.push(client);
      upstream.on('error', () => {});
      client.on('error', () => {});
      client.pipe(upstream);
      upstream.pipe(client);
    });
    await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
    const own = `127.0.0.1:${(cutting.address() as net.AddressInfo).port}`;
    // The broker waits 100 ms before it reports the wrong password.
    const opening = openKafkaConnection(options(own, { ...secured.scram, kafkaPassword: 'wrong' }));
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
      sockets = [];
    }, 80);
    await assert.rejects(opening, (error) => !(error instanceof KafkaRefused));
    cutting.close();
  });

  it('a role that is refused by the broker waits, gives the reason once and at /readyz, and retries after 5 s', async () => {
    const logged: object[] = [];
    const log = (...line: unknown[]) => void logged.push(line);
    const db = await createTestDatabase();
    const password = file('password', 'wrong');
    const access = { ...secured.scram, kafkaPassword: 'wrong', kafkaPasswordFile: password };
    const wait = new StartWait({ logger: { info: log, warn: log }, retryMs: 1 });
    const silent = { warn: log, debug: () => {} };
    const begun = performance.now();
    const opening = wait.open('Kafka', () =>
      openKafkaLog({ brokers: [secured.brokers.sasl], access, topic, pool: db.pool, logger: silent }),
    );
    const reason = /^Kafka \(.*\) cannot be used: the broker does not accept KAFKA_USERNAME or its password: /;
    await until('it waits', () => reason.test(wait.waitingFor().Kafka ?? ''));
    file('password', PASSWORD);
    await (await opening).close();
    assert.ok(performance.now() - begun >= 5_000);
    const [first, ...others] = logged as [{ reason: string }, string][];
    assert.match(first![0].reason, reason);
    assert.deepEqual(
      others
        .map(([, text, alone = text]) => (typeof alone === 'string' ? alone : ''))
        .filter((text) => /cannot be reached/.test(text)),
      [],
    );
    await db.drop();
  });

  it('renewed credential files apply to the next connection, and a refused connection is not retried for 5 s', async () => {
    const { brokers, tls } = secured;
    const tokenFile = token('renewed', USER, -60);
    const kafkaCaFile = file('renewed.pem', secured.authority.ca);
    const access: KafkaAccess = { ...tls, kafkaCaFile, kafkaSasl: 'oauthbearer', kafkaTokenFile: tokenFile };
    const connector = new KafkaConnector(options(brokers.sasl, access));
    const invalid = /invalid_token/;
    await assert.rejects(connector.get(), invalid);
    // Replaces the file as a kubelet does.
    renameSync(token('next', USER), tokenFile);
    const begun = performance.now();
    await assert.rejects(connector.get(), invalid);
    assert.ok(performance.now() - begun < 50);
    const next = new KafkaConnector(options(brokers.sasl, access));
    await next.get();
    const other = makeAuthority();
    renameSync(file('next.pem', other.ca), kafkaCaFile);
    other.remove();
    await (await next.get()).bounds();
    next.drop();
    await assert.rejects(next.get(), /not trusted/);
    connector.close();
    next.close();
  });

  it('a connection is replaced before the broker ends its session', async () => {
    const access: KafkaAccess = { ...secured.scram, kafkaSasl: 'scram-sha-512' };
    const connection = await openKafkaConnection(options(secured.brokers.short, access));
    await sleep(0.7 * SHORT_SESSION_MS);
    assert.equal(connection.isBroken(), false);
    await connection.bounds();
    await sleep(0.2 * SHORT_SESSION_MS);
    assert.equal(connection.isBroken(), true);
    await connection.bounds();
    await sleep(0.2 * SHORT_SESSION_MS);
    await assert.rejects(connection.bounds(), /Closed connection/);
    connection.close();
  });

  it('an ended session costs one reconnect, without an error, a lost or repeated event, or a stall', async () => {
    const told: unknown[] = [];
    const tell = (...line: unknown[]) => void told.push(line);
    const logger = { info: () => {}, warn: tell, error: tell, debug: () => {} };
    let connections = 0;
    const { connect } = tls;
    tls.connect = ((...given: Parameters<typeof connect>) => {
      connections += 1;
      return connect(...given);
    }) as typeof connect;
    const db = await createTestDatabase();
    const log: KafkaLog = await openKafkaLog({
      brokers: [secured.brokers.short],
      access: { ...secured.scram, kafkaSasl: 'scram-sha-512' },
      topic: `${topic}.sessions`,
      pool: db.pool,
      logger,
      requestTimeoutMs: 10_000,
    });
    const found: { envelope: string; at: number }[] = [];
    let [cursor, reading] = [0, Promise.resolve()];
    const unsubscribe = log.onAppend(() => {
      reading = reading.then(async () => {
        for (const record of await log.read(cursor, { records: 100, bytes: 1e6 })) {
          found.push({ envelope: record.envelope, at: performance.now() });
          cursor = record.cursor;
        }
      });
    });
    told.length = 0;
    const changes = new Set<Parameters<Parameters<typeof startRelay>[0]['onChange']>[0]>();
    const onChange = (listener: never) => {
      changes.add(listener);
      return () => changes.delete(listener);
    };
    const relay = startRelay({ pool: db.pool, log, clock: systemClock, logger, onChange });
    const { write } = eventWriter();
    const written: { envelope: string; at: number }[] = [];
    for (const end = performance.now() + 3 * SHORT_SESSION_MS; performance.now() < end; await sleep(20)) {
      const at = performance.now();
      const [envelope] = await write(db.pool, [{}]);
      written.push({ envelope: envelope!, at });
      for (const listener of changes) listener([1], { events: true });
    }
    await until('all are read', () => found.length >= written.length);
    await relay.stop();
    unsubscribe();
    await reading;
    await log.close();
    await db.drop();
    tls.connect = connect;
    assert.deepEqual(
      found.map(({ envelope }) => envelope),
      written.map(({ envelope }) => envelope),
    );
    assert.deepEqual(told, []);
    const slowest = Math.max(...found.map(({ at }, index) => at - written[index]!.at));
    // A request without an answer would take 10 s.
    assert.ok(slowest < 5_000, `${slowest} ms`);
    // The reader, the relay and the watcher have one connection each, and fetches have one more.
    assert.ok(connections >= 12 && connections <= 30, `${connections} connections`);
  });
});
