/**
 * Bundles each page's script into one file, and also the client that other sites import. Bundling includes the TypeScript modules that the
 * scripts share, and compiles them. The image build runs this module (`node src/web/assets/bundle-scripts.ts FOLDER`) and leaves esbuild
 * out of the image.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const SCRIPTS = [
  'site.js',
  'home.js',
  'match.js',
  'passkey.js',
  'widget.js',
  'offline.js',
  'service-worker.js',
] as const;
/** The client package. */
const CLIENT = '../../client/touchline.ts';
export type ScriptName = (typeof SCRIPTS)[number] | 'touchline.js';

/** Returns the bundled scripts. It takes 0.2 s on a busy machine. */
export async function bundleScripts(): Promise<Record<ScriptName, Buffer>> {
  try {
    const { outputFiles } = await build({
      entryPoints: [...SCRIPTS, CLIENT].map((source) => fileURLToPath(new URL(source, import.meta.url))),
      outdir: '.',
      entryNames: '[name]',
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      logLevel: 'silent',
    });
    return Object.fromEntries(
      outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]),
    ) as Record<ScriptName, Buffer>;
  } finally {
    // Stops esbuild's child process. Otherwise, it would keep this process alive.
    await stop();
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const folder = argv[2];
  if (folder === undefined) throw new Error('usage: node src/web/assets/bundle-scripts.ts FOLDER');
  await mkdir(folder, { recursive: true });
  for (const [name, script] of Object.entries(await bundleScripts())) await writeFile(join(folder, name), script);
}
