import assert from 'node:assert/strict';
import { tlsError } from '../../src/runtime/tls-error.ts';

const withCode = (code: string) => Object.assign(new Error('Connection error'), { code });

describe('the explanation of a TLS failure', () => {
  // Node 20 and Node 24 have different prefixes for the codes of TLS alerts.
  for (const prefix of ['ERR_SSL_SSLV3', 'ERR_SSL_SSL/TLS'])
    it(`names the alert in ${prefix}_ALERT_BAD_CERTIFICATE`, () => {
      const error = withCode(`${prefix}_ALERT_BAD_CERTIFICATE`);
      assert.equal(tlsError('the broker', error, true), 'the broker refuses our client certificate (bad certificate)');
      assert.equal(tlsError('the broker', error), 'the broker asks for a client certificate (bad certificate)');
    });

  it('does not explain a failure that TLS did not cause', () => {
    assert.equal(tlsError('the broker', withCode('ECONNREFUSED')), null);
    assert.equal(tlsError('the broker', new Error('no code')), null);
  });
});
