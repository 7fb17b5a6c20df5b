/** The Node version that the image runs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Timeout for npm to download this Node. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

/** Major version in `ARG NODE=node:24-bookworm-slim`. */
export const IMAGE_NODE = /^ARG NODE=node:(\d+)/m.exec(dockerfile)![1]!;

let found: string | null | undefined;

/**
 * Returns the path of a Node binary with this version. It is this process's binary if the version fits, otherwise the
 * one in the npm package `node`.
 * @returns null if it cannot be obtained
 */
export function imageNode(): string | null {
  if (found === undefined) found = process.versions.node.split('.')[0] === IMAGE_NODE ? process.execPath : fromNpm();
  return found;
}

function fromNpm(): string | null {
  const args = ['-y', '-p', `node@${IMAGE_NODE}`, 'node', '-p', 'process.execPath'];
  const { status, stdout } = spawnSync('npx', args, { encoding: 'utf8', timeout: DOWNLOAD_TIMEOUT_MS });
  return status === 0 ? stdout.trim().split('\n').at(-1)! : null;
}
