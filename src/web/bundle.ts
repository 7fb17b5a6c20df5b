/** The scripts of the pages as one file each: they share the client that users import, which is TypeScript. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const SCRIPTS = ['home.js', 'match.js'];

let made: Promise<Map<string, Buffer>> | null = null;

async function make(): Promise<Map<string, Buffer>> {
  try {
    const { outputFiles } = await build({
      entryPoints: SCRIPTS.map((name) => fileURLToPath(new URL(`assets/${name}`, import.meta.url))),
      outdir: '.',
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      logLevel: 'silent',
    });
    return new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  } catch (error) {
    made = null;
    throw error;
  } finally {
    // It would keep a process of its own.
    await stop();
  }
}

/** Made when one is first asked for (0.2 s on a busy machine), then kept. @param name one of assets/ */
export async function bundled(name: string): Promise<Buffer> {
  made ??= make();
  return (await made).get(name)!;
}
