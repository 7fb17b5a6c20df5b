/** Python client types: the API document's schemas as TypedDict classes. */
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';

/**
 * Maximum number of values in a choice without a name. A longer choice gets a name, which then appears in many
 * signatures.
 */
const INLINE_CHOICES = 5;

/** Python keywords, which cannot be names of members or arguments. */
const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

export const pascal = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);
/** Returns the Python name for an argument. */
export const argument = (name: string): string => {
  const plain = name.replaceAll('-', '_');
  return KEYWORDS.has(plain) ? `${plain}_` : plain;
};
const quoted = (text: string) => JSON.stringify(text);
const union = (types: readonly string[]) => [...new Set(types)].join(' | ');
export const docOf = (text: unknown, indent: string): string =>
  typeof text === 'string' ? `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""\n` : '';

/** Collects the classes and named choices that types need, in the order in which they are first needed. */
export class PythonModels {
  readonly #schemas: Record<string, JsonObject>;
  /** Class texts by name. A text is empty while it is being written. */
  readonly #texts = new Map<string, string>();
  /** Names for long choices, by their values. */
  readonly #choices = new Map<string, string>();

  constructor(schemas: Record<string, JsonObject>) {
    this.#schemas = schemas;
  }

  names(): string[] {
    return [...this.#texts.keys()];
  }

  text(): string {
    return [...this.#texts.values()].join('\n\n');
  }

  /**
   * @param owner name of the class that contains an object without a name
   * @throws {TypeError} for a schema that has no type in Python, or for a name that is taken
   */
  typeOf(schema: JsonObject, owner: string): string {
    if (typeof schema.$ref === 'string') return this.#component(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
    if (schema.const !== undefined) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
    if (Array.isArray(schema.enum)) return this.#choice(schema.enum, owner);
    const several = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(several)) return union(several.map((one) => this.typeOf(one as JsonObject, owner)));
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.typeOf({ ...schema, type }, owner)));
    switch (schema.type) {
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `list[${this.typeOf((schema.items ?? {}) as JsonObject, owner)}]`;
      case 'object':
        return this.#object(schema, owner);
      case undefined:
        return 'Any';
      default:
        throw new TypeError(`Python has no type for ${schema.type}`);
    }
  }

  /**
   * Returns a name for a schema without one. It must not clash with a component's name: a match's weather, for example,
   * is not the component MatchWeather.
   */
  inlineName(owner: string): string {
    return owner in this.#schemas ? `${owner}Value` : owner;
  }

  #component(name: string): string {
    const schema = this.#schemas[name]!;
    if (this.#texts.has(name)) return name;
    if (schema.type !== 'object') throw new TypeError(`${name} is not an object`);
    return this.#class(name, schema);
  }

  #choice(values: readonly Json[], owner: string): string {
    const others = values.filter((value) => value !== null);
    const text = `Literal[${others.map(literal).join(', ')}]`;
    const orNone = others.length < values.length ? ' | None' : '';
    if (others.length <= INLINE_CHOICES) return text + orNone;
    const known = this.#choices.get(text);
    if (known !== undefined) return known + orNone;
    const name = this.inlineName(owner);
    this.#take(name);
    this.#choices.set(text, name);
    this.#texts.set(name, `${name} = ${text}\n`);
    return name + orNone;
  }

  #object(schema: JsonObject, owner: string): string {
    if (Object.keys((schema.properties ?? {}) as JsonObject).length > 0)
      return this.#class(this.inlineName(owner), schema);
    const { additionalProperties: more } = schema;
    return `dict[str, ${typeof more === 'object' ? this.typeOf(more as JsonObject, owner) : 'Any'}]`;
  }

  #take(name: string): void {
    if (this.#texts.has(name)) throw new TypeError(`the name ${name} is taken`);
    this.#texts.set(name, '');
  }

  #class(name: string, schema: JsonObject): string {
    this.#take(name);
    const members = Object.entries(schema.properties as Record<string, JsonObject>).map(([member, one]) => {
      const type = this.typeOf(one, name + pascal(member));
      const isRequired = ((schema.required ?? []) as Json[]).includes(member);
      return { member, type: isRequired ? type : `NotRequired[${type}]`, doc: one.description };
    });
    const text = members.every(({ member }) => isName(member))
      ? classText(name, schema.description, members)
      : functionText(name, schema.description, members);
    // Moves the class after its members' classes, which it refers to.
    this.#texts.delete(name);
    this.#texts.set(name, text);
    return name;
  }
}

interface Member {
  member: string;
  type: string;
  doc: Json | undefined;
}

function classText(name: string, doc: Json | undefined, members: readonly Member[]): string {
  const lines = members.map((one) => `    ${one.member}: ${one.type}\n${docOf(one.doc, '    ')}`);
  return `class ${name}(TypedDict):\n${docOf(doc, '    ')}${lines.join('')}`;
}

/** Returns a TypedDict in its function form, because a class cannot have a member such as `from`. */
function functionText(name: string, doc: Json | undefined, members: readonly Member[]): string {
  const lines = members.map(
    (one) =>
      `${typeof one.doc === 'string' ? `        # ${one.doc}\n` : ''}        ${quoted(one.member)}: ${quoted(one.type)},\n`,
  );
  return `${name} = TypedDict(\n    ${quoted(name)},\n    {\n${lines.join('')}    },\n)\n${docOf(doc, '')}`;
}

function literal(value: Json): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}
