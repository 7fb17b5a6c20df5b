import assert from 'node:assert/strict';
import { codeOf, memberOf, messageOf } from '../../src/runtime/unknown-values.ts';

describe('values of unknown types', () => {
  it('a member is read from an object or a list, and is undefined in all else', () => {
    assert.equal(memberOf({ kind: 'match' }, 'kind'), 'match');
    assert.equal(memberOf(['a', 'b'], 1), 'b');
    for (const value of [null, undefined, 'text', 7, {}]) assert.equal(memberOf(value, 'kind'), undefined);
    assert.equal(['plans', 0, 'name'].reduce<unknown>(memberOf, { plans: [{ name: 'pro' }] }), 'pro');
  });

  it('the message of what was thrown is a text, whatever it was', () => {
    assert.equal(messageOf(new Error('no connection')), 'no connection');
    assert.equal(messageOf('no connection'), 'no connection');
    assert.equal(messageOf(undefined), 'undefined');
  });

  it('a code is a text', () => {
    assert.equal(codeOf(Object.assign(new Error(), { code: 'ENOENT' })), 'ENOENT');
    for (const error of [new Error(), { code: 5 }, null, 'ENOENT']) assert.equal(codeOf(error), undefined);
  });
});
