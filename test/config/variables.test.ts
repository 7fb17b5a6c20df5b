/** Compares the variables' texts, which form the table in docs/configuration.md, with the schemas that parse them. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Variable } from '../../src/config/variable.ts';
import { describeDefault, variables } from '../support/generated-docs.ts';

/** Returns the values that a variable can have, if its schema lists them. */
function optionsOf({ schema }: Variable): string[] {
  let inner: unknown = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.unwrap();
  return inner instanceof z.ZodEnum ? inner.options.map(String) : [];
}

describe('documented variable values', () => {
  const listed = variables.filter((variable) => optionsOf(variable).length > 0);

  it('are exactly the values that the schema accepts', () => {
    const names = listed.map(({ name }) => name);
    for (const name of ['KAFKA_SASL', 'LOG_LEVEL', 'SIGNUP', 'WEBHOOK_HANDSHAKE'])
      assert.ok(names.includes(name), name);
    for (const variable of listed) {
      const words = [...variable.meaning.matchAll(/`([a-z0-9-]+)`/g)].map(([, word]) => word!);
      assert.deepEqual([...new Set(words)].sort(), optionsOf(variable).sort(), variable.name);
    }
  });

  it('include the default', () => {
    for (const variable of variables) {
      const isDefault = variable.schema instanceof z.ZodDefault;
      const options = optionsOf(variable);
      if (!isDefault || options.length === 0) continue;
      const [first] = describeDefault(variable).split(';');
      assert.equal(first, variable.schema.parse(undefined), variable.name);
    }
  });
});
