import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DAY_MS = 24 * 3_600_000;

/** Tests the launcher with a Node that cannot run TypeScript, on a copy of the sources. */
describe('the source bundle', function () {
  this.timeout(20_000);
  let root: string;
  const cache = () => join(root, 'node_modules/.cache/touchline');
  const bundles = () => readdirSync(cache()).filter((name) => name.startsWith('sources-'));
  const write = (text: string) => writeFileSync(join(root, 'src/cli.ts'), text);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'touchline-bundle-'));
    for (const folder of ['bin', 'src/db', 'operators', 'node_modules'])
      mkdirSync(join(root, folder), { recursive: true });
    copyFileSync(join(ROOT, 'bin/bundle.js'), join(root, 'bin/bundle.js'));
    writeFileSync(join(root, 'package.json'), '{"type": "module"}');
    for (const name of ['esbuild', 'zod'])
      symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
    writeFileSync(join(root, 'src/db/file.txt'), 'beside the source');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Starts a process that runs the bundled function `answer`. */
  async function answer(): Promise<string> {
    const launcher = `
      const { bundledSources } = await import(${JSON.stringify(join(root, 'bin/bundle.js'))});
      const sources = await bundledSources();
      console.log(sources === null ? 'no bundle' : await (await import(sources)).answer());`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', launcher]);
    return stdout.trim();
  }

  it('says the same in any script, in files of one byte a character', async () => {
    write(`const tag = ([first]: TemplateStringsArray) => first;
export const answer = (): string => JSON.stringify([tag\`– Гол ⚽ 🏉 é\`, 'Гол – 🏉', /^[–🏉]$/u.test('🏉'), "it's …"]);`);
    assert.deepEqual(JSON.parse(await answer()), ['– Гол ⚽ 🏉 é', 'Гол – 🏉', true, "it's …"]);
    const files = readdirSync(join(cache(), bundles()[0]!)).filter((name) => name.endsWith('.js'));
    for (const file of files)
      assert.doesNotMatch(readFileSync(join(cache(), bundles()[0]!, file), 'utf8'), /[^\u0000-\u00ff]/, file);
  });

  it('is built once, and again when a source file has changed', async () => {
    write('export const answer = (): number => 1;');
    assert.equal(await answer(), '1');
    const [first] = bundles();
    assert.equal(await answer(), '1');
    assert.deepEqual(bundles(), [first]);
    write('export const answer = (): number => 20;');
    assert.equal(await answer(), '20');
    assert.equal(bundles().length, 2, 'a process that runs may still load a part of the former one');
    utimesSync(join(cache(), first!), new Date(), new Date(Date.now() - DAY_MS - 1_000));
    write('export const answer = (): number => 300;');
    assert.equal(await answer(), '300');
    assert.ok(!existsSync(join(cache(), first!)));
  });

  it('is the same for two processes that build it at once', async () => {
    write('export const answer = (): number => 1;');
    assert.deepEqual(await Promise.all([answer(), answer()]), ['1', '1']);
    assert.deepEqual(readdirSync(cache()), bundles());
  });

  it('finds files next to the source files, and errors name the source lines', async () => {
    writeFileSync(
      join(root, 'src/db/reader.ts'),
      `import { readFileSync } from 'node:fs';

interface Unused {}
export const text = readFileSync(new URL('file.txt', import.meta.url), 'utf8');
export const where = (): string => new Error('here').stack!.split('\\n')[1]!;`,
    );
    write(
      "export const answer = async () => { const { text, where } = await import('./db/reader.ts'); return text + where(); };",
    );
    assert.match(await answer(), /^beside the source.*src\/db\/reader\.ts:5:/);
  });

  it('has what the sources use of zod, with its messages, but no other language', async () => {
    write(`import { z } from 'zod';
const day = z.iso.date().or(z.int());
export const answer = () => [day.parse('2026-03-01'), z.string().safeParse(1).error!.issues[0]!.message].join();`);
    assert.equal(await answer(), '2026-03-01,Invalid input: expected string, received number');
    const file = readFileSync(join(cache(), bundles()[0]!, 'cli.js'), 'utf8');
    assert.ok(file.includes('Invalid input: expected'));
    assert.ok(!file.includes('Ungültige Eingabe'));
  });

  it('is skipped if the cache cannot be written', async () => {
    write('export const answer = (): number => 1;');
    writeFileSync(join(root, 'node_modules/.cache'), 'a file');
    assert.equal(await answer(), 'no bundle');
  });
});
