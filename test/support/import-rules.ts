/**
 * Checks the imports between folders against src/imports.json. It lists the folders from the bottom to the top, each with the folders
 * below that it may import; a key such as `stream/role.ts` adds folders for that file. An import that is not listed fails, and so does
 * a listed folder that no file imports. The linter finds cycles.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCE = resolve(ROOT, 'src');
const listed = new Map(
  Object.entries(JSON.parse(readFileSync(resolve(SOURCE, 'imports.json'), 'utf8')) as Record<string, string[]>),
);
const names = [...listed.keys()];
const faults: string[] = [];

/** Returns the path below src, or below the root for operators. */
const pathOf = (absolute: string): string => relative(SOURCE, absolute).replace(/^\.\.\//, '');
/** Returns the folder of a file, or the name of a file that is in none. */
const folder = (path: string): string => path.split('/')[0]!.replace(/\.ts$/, '');

const used = new Map(names.map((name) => [name, new Set<string>()]));
const files = ['src', 'operators'].flatMap((root) =>
  readdirSync(resolve(ROOT, root), { recursive: true, encoding: 'utf8' }).map((file) => resolve(ROOT, root, file)),
);
for (const path of files.filter((one) => one.endsWith('.ts'))) {
  const file = pathOf(path);
  const own = folder(file);
  // Among the files at the top only deps.ts and role.ts are listed: main.ts may import any folder.
  if (!file.includes('/') && !listed.has(own)) continue;
  if (!listed.has(own)) faults.push(`${own} is not listed`);
  const keys = listed.has(file) ? [own, file] : [own];
  for (const [, specifier] of readFileSync(path, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)) {
    const imported = folder(pathOf(resolve(path, '..', specifier!)));
    if (imported === own) continue;
    const allowing = keys.filter((key) => listed.get(key)?.includes(imported));
    for (const key of allowing) used.get(key)!.add(imported);
    if (allowing.length === 0) faults.push(`${file} may not import ${imported}`);
  }
}
for (const [name, allowed] of listed)
  for (const one of allowed) {
    const isBelow = name.includes('/') || ['deps', 'role'].includes(one) || names.indexOf(one) < names.indexOf(name);
    if (!isBelow) faults.push(`${name} may not list ${one}, which is not above it in the list`);
    if (!used.get(name)!.has(one)) faults.push(`${name} lists ${one}, which it does not import`);
  }

for (const fault of new Set(faults)) console.error(`src/imports.json: ${fault}`);
if (faults.length > 0) process.exit(1);
