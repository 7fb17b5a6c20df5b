import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { sourcePositions } from '../../src/runtime/source-positions.ts';

const SOURCE = `// A comment, which the bundle lacks.
export function fail(): never {
  throw new Error('it failed');
}
`;

describe('positions in the sources', () => {
  let folder: string;
  let stack: string;
  let translate: (text: string) => string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'touchline-positions-'));
    writeFileSync(join(folder, 'fail.ts'), SOURCE);
    await build({
      entryPoints: [join(folder, 'fail.ts')],
      outdir: join(folder, 'dist'),
      format: 'esm',
      minifyWhitespace: true,
      sourcemap: 'linked',
    });
    const { href } = pathToFileURL(join(folder, 'dist/fail.js'));
    const { fail } = (await import(href)) as { fail(): never };
    try {
      fail();
    } catch (error) {
      stack = (error as Error).stack!;
    }
    translate = sourcePositions(pathToFileURL(join(folder, 'dist/')).href);
  });
  after(() => rmSync(folder, { recursive: true }));

  const source = () => `${pathToFileURL(join(folder, 'fail.ts')).href}:3:9`;

  it('replace those of a bundle, also in a line of the log', () => {
    assert.match(stack, /dist\/fail\.js:1:\d+/);
    for (const text of [stack, JSON.stringify({ level: 50, err: { stack } })]) {
      const shown = translate(text);
      assert.ok(shown.includes(source()), shown);
      assert.doesNotMatch(shown, /dist\/fail\.js/);
    }
  });

  it('are read again from memory, after the map is gone', () => {
    rmSync(join(folder, 'dist/fail.js.map'));
    assert.ok(translate(stack).includes(source()));
    const unknown = `at ${pathToFileURL(join(folder, 'dist/fail.js')).href}:1:5`;
    assert.equal(translate(unknown), unknown);
  });

  it('leave everything else as it is, and no file elsewhere is read', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'touchline-elsewhere-'));
    try {
      for (const text of [
        'no position',
        `at file://${elsewhere}/dist/x.js:1:1`,
        `at ${pathToFileURL(join(folder, 'dist')).href}/../../dist/x.js:1:1`,
        `at ${pathToFileURL(join(folder, 'dist/missing.js')).href}:99999999999999999999:1`,
        'at file:///dist/x.js:0:0',
      ])
        assert.equal(translate(text), text);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });
});
