// Finds the Node that the image runs: `node test/support/image-node.js` prints the path of its binary, or ends with 1.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** For npm to download it. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

/** As in `ARG NODE=node:24-bookworm-slim`. */
export const imageMajor = /^ARG NODE=node:(\d+)/m.exec(dockerfile)[1];

/**
 * This process's own binary where its version fits, else the one from the npm package `node`.
 * @returns null where it cannot be obtained
 */
export function imageNode() {
  if (process.versions.node.split('.')[0] === imageMajor) return process.execPath;
  const found = spawnSync('npx', ['-y', '-p', `node@${imageMajor}`, 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
    timeout: DOWNLOAD_TIMEOUT_MS,
  });
  return found.status === 0 ? found.stdout.trim().split('\n').at(-1) : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = imageNode();
  if (path === null) {
    console.error(`Node ${imageMajor}, which the image runs, cannot be obtained`);
    process.exit(1);
  }
  console.log(path);
}
