/**
 * Bundles the sources. A Node that cannot run TypeScript runs a bundle that is made once, and again when a file has
 * changed. The image has one (`node bin/bundle.js FOLDER`), with which a role takes some 30 MB less: there are no types to
 * strip, and no comments in memory.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/touchline');
/** Bundles of former sources are removed after this time, since a process may still load a part of one. */
const KEPT_MS = 24 * 3_600_000;

/** Returns a name that changes with the sources, the packages and this file. */
function version() {
  const hash = createHash('sha256');
  for (const folder of ['src', 'operators'])
    for (const name of readdirSync(join(ROOT, folder), { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const { size, mtimeMs } = statSync(join(ROOT, folder, name));
      hash.update(`${folder}/${name} ${size} ${mtimeMs}\n`);
    }
  for (const name of ['package.json', 'bin/bundle.js']) hash.update(readFileSync(join(ROOT, name)));
  return hash.digest('hex').slice(0, 16);
}

/** V8 keeps a file in two bytes a character if it has one such as an en dash, which esbuild leaves in template literals. */
const escaped = (text) =>
  text.replaceAll(/[^\u0000-\u00ff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * The sources use few of zod's exports. esbuild leaves out the others, such as 50 languages, only if it sees a namespace import.
 * That takes 2 MB less in each process.
 */
const withFewerExports = (text) => text.replace("import { z } from 'zod';", "import * as z from 'zod';");

/** Sources look for their files (migrations, reviewed data) beside themselves. */
const ownSources = {
  name: 'own-sources',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: withFewerExports(escaped(readFileSync(path, 'utf8'))).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
    }));
  },
};

/**
 * These are bundled; the other packages stay where they are. Zod has 95 files, and the Kubernetes client more than 800, of which
 * the operator needs few (39 MB less). That client has a version of js-yaml of its own.
 */
const BUNDLED = ['zod', '@kubernetes/client-node', 'js-yaml'];
const externalPackages = {
  name: 'external-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || BUNDLED.includes(path) ? null : { path, external: true },
    );
  },
};

async function bundle(folder) {
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(ROOT, 'src/cli.ts')],
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    sourcesContent: false,
    outdir: folder,
    plugins: [externalPackages, ownSources],
    logLevel: 'error',
  });
}

function removeFormer() {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name);
    if (name.startsWith('sources-') && Date.now() - statSync(folder).mtimeMs > KEPT_MS)
      rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Bundles the sources unless a bundle of them exists.
 * @returns URL of the bundled `src/cli.ts`; null if the cache is read-only
 */
export async function bundledSources() {
  const kept = join(CACHE, `sources-${version()}`);
  if (!existsSync(kept)) {
    const folder = join(CACHE, `new-sources-${process.pid}`);
    try {
      mkdirSync(folder, { recursive: true });
    } catch {
      return null;
    }
    await bundle(folder);
    removeFormer();
    try {
      renameSync(folder, kept);
    } catch {
      // Another process was faster.
      rmSync(folder, { recursive: true, force: true });
    }
  }
  process.setSourceMapsEnabled(true);
  return pathToFileURL(join(kept, 'cli.js')).href;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: node bin/bundle.js FOLDER');
  await bundle(folder);
}
