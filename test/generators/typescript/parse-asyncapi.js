// Prints what the official parser says of an AsyncAPI document; fails if it is none.
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
if (document === undefined) throw new Error(JSON.stringify(diagnostics));
console.log(
  JSON.stringify(diagnostics.map(({ severity, code, message, path }) => ({ severity, code, message, path }))),
);
