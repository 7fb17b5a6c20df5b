/**
 * Writes the linter's import rules, biome.imports.json, from src/imports.json: which folders of the source each folder may import.
 * A `role.ts` puts a role together and may import any folder; nothing but main.ts imports it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
const FILE = new URL('biome.imports.json', ROOT);

const folders = JSON.parse(readFileSync(new URL('src/imports.json', ROOT), 'utf8')) as Record<string, string[]>;
const names = Object.keys(folders);
const sources = (name: string) => (name === 'operators' ? 'operators/**' : `src/${name}/**`);
/** Files that only the top of the tree imports. */
const TOP = ['**/main.ts', '**/cli.ts', '**/serve-command.ts', '**/role.ts'];

for (const name of readdirSync(new URL('src', ROOT), { withFileTypes: true }))
  if (name.isDirectory() && !names.includes(name.name))
    throw new Error(`src/imports.json lacks the folder ${name.name}`);
for (const [name, allowed] of Object.entries(folders)) {
  for (const one of allowed) {
    const isBelow = one === 'deps' || names.indexOf(one) < names.indexOf(name);
    if (!isBelow) throw new Error(`src/imports.json: ${name} may not import ${one}, which is not above it in the list`);
  }
}

function override(includes: string[], restricted: string[], message: string): object {
  const noRestrictedImports = { level: 'error', options: { patterns: [{ group: restricted, message }] } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}

const rules = Object.entries(folders).map(([name, allowed]) =>
  override(
    [sources(name), '!**/role.ts'],
    [
      ...names.filter((one) => one !== name && !allowed.includes(one)).map((one) => `**/${one}/**`),
      ...(allowed.includes('deps') ? [] : ['**/deps.ts']),
      ...TOP,
    ],
    `${name} may import ${allowed.join(', ') || 'no other folder'}: see src/imports.json.`,
  ),
);
const text = `${JSON.stringify({ overrides: rules }, null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('biome.imports.json does not fit src/imports.json: run `make generated`');
  process.exit(1);
}
