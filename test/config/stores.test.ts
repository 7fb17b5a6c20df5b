/** Tests that all contradictory settings for access to stores are refused together when the configuration is read. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountVariables } from '../../src/accounts/config.ts';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError, type Variables } from '../../src/config/variable.ts';
import { makeAuthority } from '../support/certificates.ts';
import { temporaryFolder } from '../support/process.ts';

describe('managed store configuration', () => {
  const folder = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  let files: Record<'ca' | 'cert' | 'key' | 'otherKey' | 'encrypted' | 'empty' | 'text' | 'secret', string>;
  before(() => {
    const authority = makeAuthority();
    const [own, other] = [authority.sign('DNS:a'), authority.sign('DNS:b')];
    authority.remove();
    files = {
      ca: file('ca.pem', authority.ca),
      cert: file('cert.pem', own.cert),
      key: file('key.pem', own.key),
      otherKey: file('other.pem', other.key),
      encrypted: file(
        'encrypted.pem',
        '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n',
      ),
      empty: file('empty.pem', ' \n'),
      text: file('text.pem', 'no certificate'),
      secret: file('secret', 'from a file\n'),
    };
  });
  after(() => folder.remove());

  const KAFKA = { KAFKA_BROKERS: 'kafka:9092' };
  function faults(env: Record<string, string>, variables: Variables = {}): string[] {
    try {
      readConfig(env, variables);
      return [];
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.faults;
    }
  }

  it('accepts the settings that managed stores need', () => {
    const { ca, cert, key, secret } = files;
    const tls = { ...KAFKA, KAFKA_TLS: '1', KAFKA_CA_FILE: ca };
    const scram = { KAFKA_SASL: 'scram-sha-512', KAFKA_USERNAME: 'me' };
    assert.deepEqual(faults({ ...tls, KAFKA_CERT_FILE: cert, KAFKA_KEY_FILE: key }), []);
    assert.deepEqual(faults({ ...tls, KAFKA_SASL: 'oauthbearer', KAFKA_TOKEN_FILE: secret }), []);
    assert.deepEqual(faults({ ...KAFKA, KAFKA_TLS: '0' }), []);
    assert.deepEqual(faults({ KAFKA_TLS: '0' }), []);
    assert.deepEqual(faults({ CLICKHOUSE_URL: 'https://clickhouse:8443', CLICKHOUSE_CA_FILE: ca }), []);
    const config = readConfig({ ...tls, ...scram, KAFKA_PASSWORD_FILE: secret });
    assert.deepEqual([config.kafkaPassword, config.kafkaPasswordFile], ['from a file', secret]);
    const { kafkaUsername, kafkaUsernameFile } = readConfig({
      ...tls,
      KAFKA_SASL: 'plain',
      KAFKA_USERNAME_FILE: secret,
      KAFKA_PASSWORD_FILE: secret,
    });
    assert.deepEqual([kafkaUsername, kafkaUsernameFile], ['from a file', secret]);
  });

  it('refuses contradictory TLS settings', () => {
    const { ca, cert, key, otherKey, encrypted, empty, text } = files;
    const tls = { ...KAFKA, KAFKA_TLS: '1' };
    const pair = { ...tls, KAFKA_CERT_FILE: cert };
    assert.deepEqual(faults({ ...KAFKA, KAFKA_TLS: '0', KAFKA_CA_FILE: ca }), ['KAFKA_CA_FILE: needs KAFKA_TLS=1']);
    assert.deepEqual(faults({ ...tls, KAFKA_CA_FILE: empty }), [`KAFKA_CA_FILE: ${empty} is empty`]);
    assert.deepEqual(faults({ ...tls, KAFKA_CA_FILE: text }), [`KAFKA_CA_FILE: ${text} holds no certificate in PEM`]);
    assert.deepEqual(faults({ ...tls, KAFKA_CA_FILE: '/none' }), ['KAFKA_CA_FILE: cannot read /none (ENOENT)']);
    assert.deepEqual(faults(pair), ['KAFKA_CERT_FILE: needs KAFKA_KEY_FILE']);
    assert.deepEqual(faults({ ...tls, KAFKA_KEY_FILE: key }), ['KAFKA_KEY_FILE: needs KAFKA_CERT_FILE']);
    assert.deepEqual(faults({ ...pair, KAFKA_KEY_FILE: otherKey }), [
      'KAFKA_KEY_FILE: is not the key of the certificate in KAFKA_CERT_FILE',
    ]);
    assert.deepEqual(faults({ ...pair, KAFKA_KEY_FILE: encrypted }), [
      `KAFKA_KEY_FILE: ${encrypted} is encrypted: the key must have no passphrase`,
    ]);
    assert.deepEqual(faults({ CLICKHOUSE_URL: 'http://clickhouse:8123', CLICKHOUSE_CA_FILE: ca }), [
      'CLICKHOUSE_CA_FILE: needs a CLICKHOUSE_URL with https://',
    ]);
  });

  it('refuses contradictory users', () => {
    const user = { KAFKA_USERNAME: 'me', KAFKA_PASSWORD: 'secret' };
    const plain = { ...KAFKA, ...user, KAFKA_SASL: 'plain' };
    assert.deepEqual(faults({ KAFKA_TLS: '1', KAFKA_USERNAME: 'me' }), [
      'KAFKA_TLS, KAFKA_USERNAME: needs KAFKA_BROKERS',
    ]);
    assert.deepEqual(faults({ ...KAFKA, ...user }), [
      'KAFKA_USERNAME: needs KAFKA_SASL',
      'KAFKA_PASSWORD: needs KAFKA_SASL',
    ]);
    assert.deepEqual(faults({ ...KAFKA, KAFKA_SASL: 'scram-sha-256' }), [
      'KAFKA_USERNAME: required with KAFKA_SASL=scram-sha-256',
      'KAFKA_PASSWORD: required with KAFKA_SASL=scram-sha-256',
    ]);
    assert.deepEqual(faults({ ...KAFKA, ...user, KAFKA_SASL: 'oauthbearer' }), [
      'KAFKA_TOKEN_FILE: required with KAFKA_SASL=oauthbearer',
      'KAFKA_USERNAME: is not used with KAFKA_SASL=oauthbearer',
      'KAFKA_PASSWORD: is not used with KAFKA_SASL=oauthbearer',
    ]);
    const from = (path: string) =>
      faults({ ...KAFKA, KAFKA_SASL: 'plain', KAFKA_USERNAME: 'me', KAFKA_PASSWORD_FILE: path });
    assert.deepEqual(from('/none'), ['KAFKA_PASSWORD_FILE: cannot read /none']);
    assert.deepEqual(from(files.empty), ['KAFKA_PASSWORD: required with KAFKA_SASL=plain']);
    assert.match(faults({ ...KAFKA, KAFKA_SASL: 'SCRAM' })[0]!, /^KAFKA_SASL: .*"plain"/);
    assert.deepEqual(faults(plain), []);
    assert.deepEqual(faults({ ...plain, STRICT: '1' }), [
      'KAFKA_SASL: plain without KAFKA_TLS=1 sends the secret unencrypted, which STRICT=1 refuses',
    ]);
    assert.deepEqual(faults({ ...plain, STRICT: '1', KAFKA_TLS: '1' }), []);
  });

  it('requires a public address for mailed links, independent of any request', () => {
    const env = { SMTP_URL: 'smtp://mail:587' };
    assert.deepEqual(faults(env, accountVariables), ['BASE_URL: required with SMTP_URL, for the links in mails']);
    assert.deepEqual(faults({ ...env, BASE_URL: 'https://touchline.example.com' }, accountVariables), []);
  });

  it('requires all settings of the provider for operators, or none', () => {
    const env = {
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'touchline',
      OIDC_CLIENT_SECRET: 'secret',
      BASE_URL: 'https://touchline.example.com',
    };
    assert.deepEqual(faults(env, accountVariables), []);
    assert.deepEqual(faults({ BASE_URL: env.BASE_URL }, accountVariables), []);
    assert.deepEqual(faults({ OIDC_CLIENT_SECRET: 'secret' }, accountVariables), [
      'OIDC_ISSUER: required with OIDC_CLIENT_SECRET',
      'OIDC_CLIENT_ID: required with OIDC_CLIENT_SECRET',
      'BASE_URL: required with OIDC_CLIENT_SECRET',
    ]);
    assert.deepEqual(faults({ ...env, BASE_URL: '' }, accountVariables), ['BASE_URL: required with OIDC_ISSUER']);
    assert.equal(faults({ ...env, OIDC_ISSUER: 'ldap://login' }, accountVariables).length, 1);
  });

  it('reports all errors at once', () => {
    const env = {
      ...KAFKA,
      KAFKA_CA_FILE: files.empty,
      KAFKA_USERNAME: 'me',
      DATABASE_URL: 'postgres://h/d?sslmode=allow',
    };
    assert.equal(faults(env).length, 4);
  });
});
