import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const source = (path: string) => new URL(`../../../src/web/${path}`, import.meta.url);

/** Makes loading esbuild fail for our sources, but not for tsx, which runs them here and needs it. */
const HOOK = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(\`
    export function resolve(specifier, context, next) {
      if (specifier === 'esbuild' && context.parentURL?.includes('/src/')) throw new Error('esbuild is not installed');
      return next(specifier, context);
    }
  \`));
`)}`;

/**
 * Runs code as in the image, where everything except esbuild can be loaded.
 * @returns the output
 */
async function withoutEsbuild(code: string): Promise<string> {
  const { stdout } = await run(process.execPath, [
    '--import=tsx',
    `--import=${HOOK}`,
    '--input-type=module',
    '-e',
    code,
  ]);
  return stdout;
}

describe('the page scripts', function () {
  this.timeout(30_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'touchline-scripts-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const read = (built: string, name: string) => `
    await import(${JSON.stringify(source('routes.ts').href)});
    const { createScripts } = await import(${JSON.stringify(source('assets/bundled-scripts.ts').href)});
    const scripts = createScripts(new URL(${JSON.stringify(`${pathToFileURL(built).href}/`)}));
    process.stdout.write(await scripts.read(${JSON.stringify(name)}));
  `;

  it('are served without esbuild if the image build has made them', async () => {
    for (const name of ['home.js', 'match.js']) {
      await writeFile(join(folder, name), `bundled ${name}`);
      assert.equal(await withoutEsbuild(read(folder, name)), `bundled ${name}`);
    }
  });

  it('are bundled by esbuild if the image build has not made them', async () => {
    await assert.rejects(withoutEsbuild(read(join(folder, 'nothing'), 'home.js')), /esbuild is not installed/);
  });

  it('are written into a folder by the image build’s command', async () => {
    const dist = join(folder, 'made', 'dist');
    await run(process.execPath, ['--import=tsx', fileURLToPath(source('assets/bundle-scripts.ts')), dist]);
    for (const name of ['home.js', 'match.js', 'touchline.js']) {
      const script = await readFile(join(dist, name), 'utf8');
      assert.match(script, /text\/event-stream/);
      assert.doesNotMatch(script, /\bimport\b/);
    }
  });
});
