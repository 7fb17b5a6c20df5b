/**
 * Checks that the image's Node, which runs the sources directly, can strip the types from each source file: `make
 * check`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IMAGE_NODE, imageNode } from './image-node.ts';

const FOLDERS = ['src', 'operators', 'bench', 'test'];

/** Undefined in Node 20. */
const { stripTypeScriptTypes } = nodeModule as { stripTypeScriptTypes?: (text: string) => string };

/** Returns Node's error for a file whose types it cannot strip; null for all other files. */
function failureOf(file: string): string | null {
  try {
    stripTypeScriptTypes!(readFileSync(file, 'utf8'));
    return null;
  } catch (error) {
    return `${file}: ${(error as Error).message}`;
  }
}

function check(): number {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const failures = files.map(failureOf).filter((failure) => failure !== null);
  for (const failure of failures) console.error(failure);
  if (failures.length === 0) console.log(`Node ${process.versions.node} strips the types of all ${files.length} files`);
  else console.error(`Node ${process.versions.node} cannot strip the types of ${failures.length} files`);
  return failures.length === 0 ? 0 : 1;
}

const node = imageNode();
if (node === process.execPath) process.exitCode = check();
else if (node !== null) {
  const self = fileURLToPath(import.meta.url);
  process.exitCode = spawnSync(node, ['--no-warnings', self], { stdio: 'inherit' }).status ?? 1;
} else
  console.error(
    `SKIPPED: Node ${IMAGE_NODE}, which the image runs, cannot be obtained: whether it can run the sources is unknown`,
  );
