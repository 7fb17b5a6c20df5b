// Prints what the official parser reports about an AsyncAPI document. Fails if the text is not one.
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
if (document === undefined) throw new Error(JSON.stringify(diagnostics));
console.log(
  JSON.stringify(diagnostics.map(({ severity, code, message, path }) => ({ severity, code, message, path }))),
);
