/** Writes the CRD into the chart. With `--check`, it only fails if the file is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { customResourceDefinition } from './crd.ts';

const FILE = new URL('../../charts/touchline/files/webhooksubscriptions.yaml', import.meta.url);
const text = `# Made by \`make generated\` from operators/webhook-subscription/crd.ts.\n${stringify(customResourceDefinition(), { lineWidth: 0, aliasDuplicateObjects: false })}`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('charts/touchline/files/webhooksubscriptions.yaml is stale: make generated\n');
  process.exit(1);
}
