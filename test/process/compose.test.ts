/**
 * Tests compose.yaml. It is valid by the Compose Specification's schema, and its services run as processes on a real
 * Postgres.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { ROLES } from '../../src/all-roles.ts';
import { readRoleConfig } from '../../src/main.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAll, type Pod, type PodRole, startPod } from '../support/pods.ts';
import { run } from '../support/process.ts';

/** The type that the parser gives a file's content. */
type Json = ReturnType<typeof parse>;

const ROOT = new URL('../../', import.meta.url);
const text = readFileSync(new URL('compose.yaml', ROOT), 'utf8');
const SECRETS = ['POSTGRES_PASSWORD', 'CLICKHOUSE_PASSWORD', 'SECRET_KEY', 'FEED_TOKEN'];
const GIVEN = Object.fromEntries(SECRETS.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));
/** All roles except the operator, which needs a cluster. */
const SERVED = Object.keys(ROLES).filter((role) => role !== 'operator') as PodRole[];

/**
 * Replaces variables as compose does.
 * @throws if a required variable is missing
 */
function interpolated(given: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(:-|:\?)([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    if (given[name]) return given[name];
    if (kind === ':?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
}

const compose = (given = GIVEN): Json => parse(interpolated(given), { merge: true });

describe('compose.yaml', function () {
  this.timeout(120_000);
  const { services } = compose();

  it('is valid by the Compose Specification’s schema', () => {
    const schema = JSON.parse(readFileSync(new URL('../support/compose/compose-spec.json', import.meta.url), 'utf8'));
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const validate = ajv.compile(schema);
    assert.ok(validate(compose()), JSON.stringify(validate.errors));
    const broken = compose();
    broken.services.api.healthchecks = {};
    assert.equal(validate(broken), false);
    const wrong = compose();
    wrong.services.api.restart = 3;
    assert.equal(validate(wrong), false);
  });

  it('has each role that needs no cluster, with a health check, restarts and no privileges', () => {
    const started = Object.entries<Json>(services).filter(([, { command }]) => command?.[0] === 'serve');
    assert.deepEqual(started.map(([name]) => name).sort(), [...SERVED].sort());
    for (const [name, service] of started) {
      assert.deepEqual(service.command, ['serve', '--role', name]);
      assert.equal(service.depends_on.migrate.condition, 'service_completed_successfully');
      assert.equal(service.depends_on.kafka.condition, 'service_healthy');
      assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']]);
      assert.equal(service.ports, undefined, 'reached through the proxy alone');
    }
    for (const [name, service] of Object.entries<Json>(services)) {
      assert.equal(service.restart, name === 'migrate' ? 'on-failure' : 'unless-stopped', name);
      assert.ok(name === 'migrate' || service.healthcheck.test.length > 1, name);
      assert.match(service.image, /:\d+\.\d+\.\d+[\w.-]*$|:18\.\d+-/, 'a version');
    }
    assert.deepEqual(services.migrate.command, ['migrate']);
  });

  it('has no default passwords, requires each password, and names a missing password', () => {
    for (const name of SECRETS)
      assert.throws(() => interpolated({ ...GIVEN, [name]: '' }), new RegExp(`^Error: ${name}: is not set$`));
    assert.doesNotMatch(text.replaceAll(/\$\{\w+:\?[^}]*\}/g, ''), /(PASSWORD|SECRET_KEY|FEED_TOKEN): *\S/);
  });

  it('gives each role a configuration that it accepts', async () => {
    for (const role of SERVED) {
      const config = await readRoleConfig({ ...services[role].environment, HOST: '0.0.0.0' }, role);
      assert.equal(config.databaseUrl, 'postgresql://touchline:postgres_password-of-the-tests@postgres:5432/touchline');
      assert.deepEqual(config.trustedProxies, [services.proxy.networks.default.ipv4_address]);
    }
    // The stores have to have the users, passwords and databases in these addresses.
    const { DATABASE_URL, CLICKHOUSE_URL, KAFKA_BROKERS } = services.api.environment;
    const [postgres, clickhouse] = [new URL(DATABASE_URL), new URL(CLICKHOUSE_URL)];
    assert.deepEqual(services.postgres.environment, {
      POSTGRES_USER: postgres.username,
      POSTGRES_DB: postgres.pathname.slice(1),
      POSTGRES_PASSWORD: postgres.password,
    });
    assert.deepEqual(services.clickhouse.environment, {
      CLICKHOUSE_DB: clickhouse.pathname.slice(1),
      CLICKHOUSE_USER: clickhouse.username,
      CLICKHOUSE_PASSWORD: clickhouse.password,
    });
    assert.equal(services.kafka.environment.KAFKA_ADVERTISED_LISTENERS, `PLAINTEXT://${KAFKA_BROKERS}`);
    for (const { hostname } of [postgres, clickhouse]) assert.ok(hostname in services);
  });

  it('replaces the addresses in the nginx file by the role names', () => {
    const [shell, flag, script] = services.proxy.command as [string, string, string];
    const file = new URL('k8s/nginx/touchline.conf', ROOT).pathname;
    const [mounted] = services.proxy.volumes[0].split(':/touchline.conf');
    assert.equal(new URL(mounted, ROOT).pathname, file);
    const written = execFileSync(
      shell,
      [flag, script.replace(' /touchline.conf', ` ${file}`).replace(/> \S+ && exec .*/, '')],
      { encoding: 'utf8' },
    );
    const servers = [...written.matchAll(/upstream touchline_(\w+) \{[^}]*?server (\S+?)[; ][^}]*\}/g)];
    assert.deepEqual(
      servers.map(([, role, server]) => [role, server]),
      ['api', 'ingest', 'stream'].map((role) => [role, `${role}:8080`]),
    );
    assert.doesNotMatch(written, /127\.0\.0\.1/);
    assert.match(script, /exec nginx -g 'daemon off;'$/);
  });

  describe('as processes', () => {
    let db: TestDatabase;
    const pods: Pod[] = [];
    before(async () => {
      db = await createTestDatabase('template0');
    });
    after(async () => {
      await killAll(pods);
      await db.drop();
    });

    /** Returns a service's environment for this machine: the test's database, an event log in it, and free ports. */
    function here(service: string): Record<string, string> {
      const { KAFKA_BROKERS: _, ...env } = services[service].environment;
      return { ...env, DATABASE_URL: db.url, CLICKHOUSE_URL: 'http://127.0.0.1:1', DATA_DIR: '/nowhere/touchline' };
    }

    it('migrates, then starts every role, and each health check passes', async () => {
      const migrated = await run(services.migrate.command, { env: here('migrate') });
      assert.equal(migrated.code, 0, migrated.err);
      // Leaves out the loader, which needs ClickHouse.
      const roles = SERVED.filter((role) => role !== 'loader');
      pods.push(...(await Promise.all(roles.map((role) => startPod(role, here(role))))));
      for (const { role, adminUrl } of pods) {
        const [kind, ...command] = services[role].healthcheck.test as string[];
        assert.deepEqual([kind, command[0]], ['CMD', 'node']);
        const check = command.map((part) => part.replace('http://127.0.0.1:9090', new URL(adminUrl).origin));
        execFileSync(process.execPath, check.slice(1));
        assert.throws(() =>
          execFileSync(
            process.execPath,
            command.slice(1).map((part) => part.replace(':9090', ':1')),
          ),
        );
      }
    });
  });
});
