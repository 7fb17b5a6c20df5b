/** Page scripts, bundled by the image build or at the first request (`make run`, tests). */
import { readFile } from 'node:fs/promises';
import { readErrorCode } from '../../runtime/unknown-values.ts';
import type { ScriptName } from './bundle-scripts.ts';

export interface Scripts {
  read(name: ScriptName): Promise<Buffer>;
}

/** Only the image build writes this folder. In a working copy it would hide later changes to the scripts. */
const BUILT = new URL('dist/', import.meta.url);

/**
 * @param built folder with the bundled scripts, with a trailing slash; esbuild is loaded only if a script is missing
 */
export function createScripts(built: URL = BUILT): Scripts {
  let bundled: Promise<Record<ScriptName, Buffer>> | null = null;

  function bundle(): Promise<Record<ScriptName, Buffer>> {
    if (bundled === null) {
      const bundling = import('./bundle-scripts.ts').then(({ bundleScripts }) => bundleScripts());
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
        if (readErrorCode(error) !== 'ENOENT') throw error;
        return (await bundle())[name];
      }
    },
  };
}
