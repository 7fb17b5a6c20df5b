/**
 * Writes src/db/grants.json: what each role may do in Postgres. Argument: `--check` only compares, and fails if the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Grants } from '../../../src/db/grants.ts';
import { withModules } from './reach.ts';
import { roleRights } from './role-rights.ts';
import { SECRETS } from './rules.ts';

const FILE = new URL('../../../src/db/grants.json', import.meta.url);

const { roles, faults } = withModules(roleRights);
const grants: Grants = {
  secrets: SECRETS,
  roles: Object.fromEntries([...roles].map(([role, { grants: own }]) => [role, own])),
};
const text = `${JSON.stringify(grants, null, 2)}\n`;
for (const fault of faults) console.error(`${fault}: see test/support/grants/rules.ts`);
if (faults.length > 0) process.exitCode = 1;
else if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (JSON.stringify(JSON.parse(readFileSync(FILE, 'utf8'))) !== JSON.stringify(grants)) {
  console.error('src/db/grants.json does not fit the sources: run make generated');
  process.exitCode = 1;
}
