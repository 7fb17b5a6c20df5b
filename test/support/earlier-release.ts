/** The code of the release 0.2.0, which tests take from the history of this repository. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './process.ts';

/** The commit with the subject "release: set the version 0.2.0". */
const RELEASE = 'a7d63dca8dd45f33d8f09397ae55bb67e58acff1';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The folders and files that a process reads. */
const READ = ['bin', 'data', 'operators', 'src', 'package.json'];
const ARCHIVE_BYTES = 200_000_000;

export interface EarlierRelease {
  /** Path of the release's `bin/touchline.js`. */
  launcher: string;
  remove(): void;
}

/**
 * Writes the release's sources into a temporary folder. They run with the packages that are installed here.
 * @returns null if the clone does not have the commit, because it is shallow
 */
export function earlierRelease(): EarlierRelease | null {
  const git = ['-C', ROOT];
  if (spawnSync('git', [...git, 'cat-file', '-e', `${RELEASE}^{commit}`]).status !== 0) return null;
  const { path, remove } = temporaryFolder();
  const archive = execFileSync('git', [...git, 'archive', RELEASE, ...READ], { maxBuffer: ARCHIVE_BYTES });
  execFileSync('tar', ['-x', '-C', path], { input: archive });
  // The folder is not a link as a whole, because each release keeps a cache of its own there.
  mkdirSync(join(path, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((one) => !one.startsWith('.')))
    symlinkSync(join(ROOT, 'node_modules', name), join(path, 'node_modules', name));
  return { launcher: join(path, 'bin/touchline.js'), remove };
}
