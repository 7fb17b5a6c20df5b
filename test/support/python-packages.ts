/** Python packages that the examples need, installed once beside the Node packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const PACKAGES = ['httpx==0.28.1', 'httpx-sse==0.4.3'];
const FOLDER = resolve('node_modules/.cache/touchline', `python-${PACKAGES.join('-')}`);
const PATIENCE_MS = 60_000;

/**
 * Returns the folder for PYTHONPATH; '' if Python already has the packages; null, with a message, if they are not
 * available.
 */
export function pythonPackages(): string | null {
  if (existsSync(FOLDER)) return FOLDER;
  if (spawnSync('python3', ['-c', 'import httpx_sse']).status === 0) return '';
  // Two processes may install at the same time, so each uses a separate folder.
  const made = `${FOLDER}-${process.pid}`;
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', made, ...PACKAGES];
  const { status } = spawnSync('python3', args, { stdio: 'ignore', timeout: PATIENCE_MS });
  if (status === 0) {
    if (!existsSync(FOLDER)) renameSync(made, FOLDER);
    return FOLDER;
  }
  rmSync(made, { recursive: true, force: true });
  console.warn(`      skipped: pip cannot install ${PACKAGES.join(' and ')}, what needs them is not run`);
  return null;
}
