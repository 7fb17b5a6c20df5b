import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { TSX } from '../support/tsx.ts';

const modules = new URL('../../src/runtime/', import.meta.url).href;

/** A device whose writes fail, as on a full disk. */
const FULL = '/dev/full';

/**
 * Starts a process that logs.
 * @returns the process, and the lines that it has written so far
 */
function start(code: string) {
  const script = `
    import fs from 'node:fs';
    import { openLogger } from '${modules}logger.ts';
    let writes = 0;
    for (const name of ['write', 'writeSync']) {
      const write = fs[name];
      fs[name] = (fd, ...rest) => { if (fd === 2) writes += 1; return write(fd, ...rest); };
    }
    const logger = openLogger('info');
    ${code}`;
  const child = spawn(process.execPath, [...TSX, '--input-type=module', '-e', script], {
    stdio: ['pipe', 'inherit', 'pipe', 'ipc'],
  });
  const lines = createInterface({ input: child.stderr! })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value!);
  const rest = async () => {
    const messages: string[] = [];
    for (let line = await lines.next(); !line.done; line = await lines.next())
      messages.push(JSON.parse(line.value).msg);
    return messages;
  };
  return { child, next, rest };
}

describe('a process’s log', function () {
  this.timeout(20_000);

  it('writes lines in groups, and all of them before the process ends', async () => {
    const { child, rest } = start(`
      for (let line = 0; line < 200; line += 1) {
        logger.info('line ' + line);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      process.send(writes, () => process.exit(3));`);
    const [[writes], [code], messages] = await Promise.all([once(child, 'message'), once(child, 'exit'), rest()]);
    assert.deepEqual(
      messages,
      Array.from({ length: 200 }, (_, line) => `line ${line}`),
    );
    assert.ok(writes > 0 && writes < 50, `${writes} writes`);
    assert.equal(code, 3);
  });

  it('writes a line even if none follows', async () => {
    const { child, next } = start("logger.info('alone'); setInterval(() => {}, 1_000);");
    assert.equal((await next()).msg, 'alone');
    child.kill('SIGKILL');
  });

  it('writes a warning at once, after the lines before it', async () => {
    const { child, next } = start(`
      logger.info('before');
      logger.warn('now');
      for (;;);`);
    assert.deepEqual([(await next()).msg, (await next()).msg], ['before', 'now']);
    child.kill('SIGKILL');
  });

  const GOES_ON = `
    logger.warn('lost');
    setTimeout(() => { logger.info('lost as well'); process.exit(4); }, 300);`;

  it('may lose its reader, and the process continues and ends normally', async () => {
    const { child } = start(`process.once('message', () => {${GOES_ON}}); process.send('ready');`);
    await once(child, 'message');
    child.stderr!.destroy();
    child.send('go');
    assert.deepEqual(await once(child, 'exit'), [4, null]);
  });

  it('may lose its reader before the last line, and the process still ends', async () => {
    const { child } = start(`process.once('message', () => {
      logger.info('lost');
      process.exit(4);
    }); process.send('ready');`);
    await once(child, 'message');
    child.stderr!.destroy();
    child.send('go');
    assert.deepEqual(await once(child, 'exit'), [4, null]);
  });

  it('may fill the disk, and the process continues and ends normally', async function () {
    if (!existsSync(FULL)) return this.skip();
    const script = `import { openLogger } from '${modules}logger.ts'; const logger = openLogger('info'); ${GOES_ON}`;
    const child = spawn(process.execPath, [...TSX, '--input-type=module', '-e', script], {
      stdio: ['ignore', 'inherit', openSync(FULL, 'w')],
    });
    assert.deepEqual(await once(child, 'exit'), [4, null]);
  });

  it('hides keys and secrets', async () => {
    const { next } = start("logger.info({ key: 'sk_live_1', webhook: { secret: 'whsec_1' } }, 'both');");
    const { key, webhook } = await next();
    assert.deepEqual([key, webhook.secret], ['[Redacted]', '[Redacted]']);
  });
});
