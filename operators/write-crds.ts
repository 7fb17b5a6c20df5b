/** Writes the CRDs into the chart. With `--check`, it only fails if a file is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { customResource, type Json } from './runtime/crd.ts';
import { KINDS } from './tenancy/kinds.ts';
import { customResourceDefinition } from './webhook-subscription/crd.ts';

const FOLDER = new URL('../charts/touchline/files/', import.meta.url);
const isCheck = process.argv.includes('--check');

function write(name: string, definition: Json): void {
  const file = new URL(name, FOLDER);
  const text = `# Made by \`make generated\` from the schemas in operators.\n${stringify(definition, { lineWidth: 0, aliasDuplicateObjects: false })}`;
  if (!isCheck) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`charts/touchline/files/${name} is stale: make generated\n`);
    process.exit(1);
  }
}

write('webhooksubscriptions.yaml', customResourceDefinition());
for (const { definition } of KINDS) write(`crds/${definition.plural}.yaml`, customResource(definition));
