// Checks that the Node of the image, which runs the sources as they are, can strip the types of each of them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { imageMajor, imageNode } from './image-node.js';

const FOLDERS = ['src', 'operators', 'bench', 'test'];

/** @returns what Node says of each file that it cannot strip */
function stripFailures(files) {
  return files.flatMap((file) => {
    try {
      nodeModule.stripTypeScriptTypes(readFileSync(file, 'utf8'));
      return [];
    } catch (error) {
      return [`${file}: ${error.message}`];
    }
  });
}

function check() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const failures = stripFailures(files);
  for (const failure of failures) console.error(failure);
  const version = process.versions.node;
  if (failures.length > 0) console.error(`Node ${version} cannot strip the types of ${failures.length} source files`);
  else console.log(`Node ${version} strips the types of all ${files.length} source files`);
  return failures.length === 0 ? 0 : 1;
}

const node = imageNode();
if (node === process.execPath) process.exitCode = check();
else if (node !== null) {
  const self = fileURLToPath(import.meta.url);
  process.exitCode = spawnSync(node, ['--no-warnings', self], { stdio: 'inherit' }).status ?? 1;
} else if (nodeModule.stripTypeScriptTypes !== undefined) process.exitCode = check();
else
  console.error(
    `SKIPPED: Node ${imageMajor}, which the image runs, cannot be obtained: whether it can run the sources is unknown`,
  );
