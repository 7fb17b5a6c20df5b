import assert from 'node:assert/strict';
import { errorMessage, readErrorCode, readMember } from '../../src/runtime/unknown-values.ts';

describe('values with unknown types', () => {
  it('may be read as a member of an object or a list, and give undefined for anything else', () => {
    assert.equal(readMember({ kind: 'match' }, 'kind'), 'match');
    assert.equal(readMember(['a', 'b'], 1), 'b');
    for (const value of [null, undefined, 'text', 7, {}]) assert.equal(readMember(value, 'kind'), undefined);
    assert.equal(['plans', 0, 'name'].reduce<unknown>(readMember, { plans: [{ name: 'pro' }] }), 'pro');
  });

  it('get a message as text if they are thrown, whatever they are', () => {
    assert.equal(errorMessage(new Error('no connection')), 'no connection');
    assert.equal(errorMessage('no connection'), 'no connection');
    assert.equal(errorMessage(undefined), 'undefined');
  });

  it('have a code only if it is a text', () => {
    assert.equal(readErrorCode(Object.assign(new Error(), { code: 'ENOENT' })), 'ENOENT');
    for (const error of [new Error(), { code: 5 }, null, 'ENOENT']) assert.equal(readErrorCode(error), undefined);
  });
});
