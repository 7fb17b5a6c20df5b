/** Describes the replies of a tool: names and types of the members and, in lists and objects, of their members. */
import { z } from 'zod';
import type { AnyRoute } from '../http/index.ts';

interface Schema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  $ref?: string;
}

/** Members are described down to this level. Deeper values would make the tool list several times as long. */
const DEPTH = 2;

type Definitions = Readonly<Record<string, Schema>>;

/** Returns the schemas that a value may have, without references and unions. */
function alternatives(schema: Schema, definitions: Definitions): readonly Schema[] {
  if (schema.$ref !== undefined)
    return alternatives(definitions[schema.$ref.replace('#/$defs/', '')] ?? {}, definitions);
  const union = schema.anyOf ?? schema.oneOf;
  return union === undefined ? [schema] : union.flatMap((one) => alternatives(one, definitions));
}

const typeNames = ({ type, const: only, enum: values }: Schema): readonly string[] => {
  if (type !== undefined) return [type].flat();
  if (values === undefined && only === undefined) return [];
  return (values ?? [only]).map((value) => (value === null ? 'null' : typeof value));
};

/** Returns a schema with only types. No member is required, because a call chooses members, and short replies leave some out. */
function shape(schema: Schema, depth: number, definitions: Definitions): Schema {
  const all = alternatives(schema, definitions);
  const types = all.map(typeNames);
  // A value without a type may be anything.
  if (types.some((names) => names.length === 0)) return {};
  const names = [...new Set(types.flat())];
  const type = names.length === 1 ? names[0]! : names;
  const properties = Object.assign({}, ...all.map((one) => one.properties)) as Record<string, Schema>;
  const items = all.flatMap((one) => one.items ?? []);
  return {
    type,
    ...(depth > 0 &&
      Object.keys(properties).length > 0 && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, shape(member, depth - 1, definitions)]),
        ),
      }),
    ...(depth > 0 && items.length > 0 && { items: shape({ anyOf: items }, depth, definitions) }),
  };
}

/**
 * Returns the JSON schema of what a tool replies, for one id and for several.
 * @param response the schema of the route's reply
 */
export function replyShape({ response }: AnyRoute): { type: 'object'; properties: Record<string, Schema> } {
  const { $defs, ...whole } = z.toJSONSchema(response as z.ZodType, {
    io: 'output',
    unrepresentable: 'any',
  }) as Schema & {
    $defs?: Definitions;
  };
  const { properties } = shape(whole, DEPTH, $defs ?? {});
  return { type: 'object', properties: { ...properties, results: { type: 'array', items: { type: 'object' } } } };
}
