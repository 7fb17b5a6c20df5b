import assert from 'node:assert/strict';
import { LogAway } from '../../src/events/event-log.ts';
import { Problem, serializeError, toProblem } from '../../src/http/errors.ts';

const coded = (code: string, over: object = {}) => Object.assign(new Error('of a store'), { code, ...over });

const AWAY: [what: string, error: Error][] = [
  ['a server that refuses', coded('ECONNREFUSED')],
  ['several addresses that refuse', Object.assign(new AggregateError([new Error('one')]), { code: 'ECONNREFUSED' })],
  ['a connection that is cut', coded('ECONNRESET')],
  ['a socket that the server has closed', coded('EPIPE')],
  ['a socket that is gone', coded('ERR_STREAM_DESTROYED')],
  ['a Unix socket that is not there', coded('ENOENT', { syscall: 'connect' })],
  ['a network that is away', coded('EHOSTUNREACH')],
  ['a server that stops', coded('57P01')],
  ['a server with a crashed process', coded('57P02')],
  ['a server that starts, or recovers', coded('57P03')],
  ['too many connections', coded('53300')],
  ['a full disk', coded('53100')],
  ['a standby after a failover', coded('25006')],
  ['a pooler that has lost the server', coded('08006')],
  ['a statement that took too long', coded('57014')],
  ['a transaction that took too long', coded('25P04')],
  ['a broken client', new Error('Client has encountered a connection error and is not queryable')],
  ['a client that was closed', new Error('Client was closed and is not queryable')],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a connection that took too long', new Error('Connection terminated due to connection timeout')],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ['a process that is stopping', new Error('Cannot use a pool after calling end on the pool')],
  ['an event log that is away', new LogAway(new Error('no broker'))],
];
const FAULTS: [what: string, error: unknown][] = [
  ['a row that exists', coded('23505')],
  ['a wrong statement', coded('42P01')],
  ['a failed assertion of the server', coded('XX000')],
  ['a file that is not there', coded('ENOENT', { syscall: 'open' })],
  ['a fault of ours', new TypeError('x is undefined')],
  ['a value that is not an error', 'Connection terminated'],
];

describe('errors in replies and in the log', () => {
  for (const [what, error] of AWAY) {
    it(`are 503 with Retry-After, and logged without a stack: ${what}`, () => {
      const { status, code, options } = toProblem(error);
      assert.deepEqual([status, code], [503, 'unavailable']);
      assert.match(options.headers!['Retry-After']!, /^[1-9]\d*$/);
      assert.equal(options.cause, error);
      assert.equal('stack' in serializeError(error), false);
    });
  }
  for (const [what, error] of FAULTS) {
    it(`are 500: ${what}`, () => assert.equal(toProblem(error).status, 500));
  }
  it('are logged with a stack if they are bugs', () => {
    assert.match(JSON.stringify(serializeError(new TypeError('x is undefined'))), /errors\.test/);
  });
  it('are unchanged if they already are problems', () => {
    const problem = new Problem('not_found');
    assert.equal(toProblem(problem), problem);
  });
});
