/**
 * Builds the package touchline-client from src/client: JavaScript with esbuild, declarations with tsc. `make client`
 * runs this.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = join(ROOT, 'src/client');
/** Modules that browsers and Node load. The declarations are for editors and compilers. */
const ENTRIES = ['touchline', 'webhook'];
/** Language version that Node 20 and browsers from 2022 support. */
const TARGET = 'es2022';

async function writeScripts(folder: string): Promise<void> {
  await build({
    entryPoints: ENTRIES.map((name) => join(SOURCE, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    format: 'esm',
    target: TARGET,
    external: ['node:*'],
  });
  await stop();
}

function writeDeclarations(folder: string): void {
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
  const options = `--ignoreConfig --declaration --emitDeclarationOnly --strict --skipLibCheck --target ${TARGET} --module nodenext
    --lib ${TARGET},dom,dom.iterable --types node --rewriteRelativeImportExtensions --outDir ${folder}`;
  const files = ENTRIES.map((name) => join(SOURCE, `${name}.ts`));
  execFileSync(process.execPath, [tsc, ...options.split(/\s+/), ...files], { stdio: 'inherit', cwd: ROOT });
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
    const file = join(folder, name);
    // Replaces `.ts` in imports, because older compilers look for exactly that file, and the package has none.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
  removeUnused(folder);
}

/** Removes declarations that no entry module needs. */
function removeUnused(folder: string): void {
  const used = new Set(ENTRIES);
  for (const name of used) {
    const text = readFileSync(join(folder, `${name}.d.ts`), 'utf8');
    for (const [, imported] of text.matchAll(/from '\.\/([\w-]+)\.js'/g)) used.add(imported!);
  }
  for (const file of readdirSync(folder))
    if (file.endsWith('.d.ts') && !used.has(file.slice(0, -'.d.ts'.length))) rmSync(join(folder, file));
}

/** Returns the path of the tarball, which is beside the folder. */
export async function buildClientPackage(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await writeScripts(folder);
  writeDeclarations(folder);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const { name, ...rest } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')) as { name: string };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);
  cpSync(join(SOURCE, 'README.md'), join(folder, 'README.md'));
  const above = resolve(folder, '..');
  execFileSync('npm', ['pack', folder, '--pack-destination', above, '--silent'], { cwd: above, stdio: 'pipe' });
  return join(above, `${name}-${version}.tgz`);
}

if (process.argv[1] === import.meta.filename) console.log(await buildClientPackage(join(ROOT, 'build/client')));
