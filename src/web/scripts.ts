/** The scripts of the pages: as the image build has bundled them, or bundled at the first request (`make run`, tests). */
import { readFile } from 'node:fs/promises';
import type { ScriptName } from './bundle.ts';

export interface Scripts {
  read(name: ScriptName): Promise<Buffer>;
}

/** Written by the image build alone: in a working copy it would hide later changes. */
const BUILT = new URL('assets/dist/', import.meta.url);

/** @param built folder of the bundled scripts, with a slash at its end; esbuild is loaded only where a script is not there */
export function createScripts(built: URL = BUILT): Scripts {
  let bundled: Promise<Record<ScriptName, Buffer>> | null = null;

  function bundle(): Promise<Record<ScriptName, Buffer>> {
    if (bundled === null) {
      const bundling = import('./bundle.ts').then(({ bundleScripts }) => bundleScripts());
      bundling.catch(() => {
        bundled = null;
      });
      bundled = bundling;
    }
    return bundled;
  }

  return {
    async read(name) {
      try {
        return await readFile(new URL(name, built));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return (await bundle())[name];
      }
    },
  };
}
