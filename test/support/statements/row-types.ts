/** What the sources say of the rows of their statements: the type argument of each call `query<Row>`, as the compiler resolves it. */
import { resolve } from 'node:path';
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isIdentifier, isPropertyAccessExpression } from 'typescript/unstable/ast/is';
import { API, type Checker, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync';

/** Of a value in JavaScript. Those of a list end in []. */
export type Kind = string;

export interface Property {
  name: string;
  isOptional: boolean;
  /** What it may be: string, number, boolean, Date, Buffer, object, null, undefined, any. */
  kinds: Kind[];
}

/** untyped: any, which the driver gives where no type is named; generic: the caller of a caller names it */
export type Row = readonly Property[] | 'untyped' | 'generic';

const BINARY = new Set(['Buffer', 'Uint8Array']);

interface Call {
  /** `src/file.ts:line:column` of the word `query` */
  place: string;
  from: number;
  to: number;
  row: Row;
}

export class RowTypes {
  readonly #calls: ReadonlyMap<string, readonly Call[]>;
  readonly #sources: ReadonlyMap<string, SourceFile>;

  private constructor(calls: ReadonlyMap<string, readonly Call[]>, sources: ReadonlyMap<string, SourceFile>) {
    this.#calls = calls;
    this.#sources = sources;
  }

  /** Of all calls of the driver in the sources. */
  static read(): RowTypes {
    const api = new API();
    try {
      const project = api.updateSnapshot({ openProject: resolve('tsconfig.json') }).getProjects()[0]!;
      const calls = new Map<string, Call[]>();
      const sources = new Map<string, SourceFile>();
      for (const name of project.rootFiles) {
        const file = /\/((?:src|operators)\/(?!client\/).*)$/.exec(name)?.[1];
        const source = file === undefined ? undefined : project.program.getSourceFile(name);
        if (file === undefined || source === undefined) continue;
        sources.set(file, source);
        calls.set(file, callsIn(project.checker, file, source));
      }
      return new RowTypes(calls, sources);
    } finally {
      api.close();
    }
  }

  all(): Call[] {
    return [...this.#calls.values()].flat();
  }

  /** @param place of a stack: Node 24 has the word `query`, tsx something in the call. @returns undefined where there is none */
  at(place: string): Call | undefined {
    const [file, line, column] = place.split(':') as [string, string, string];
    const source = this.#sources.get(file);
    if (source === undefined) return undefined;
    const at = source.getPositionOfLineAndCharacter(Number(line) - 1, Number(column) - 1);
    // tsx has no source map for some frames: all of the file is one line there.
    if (source.getLineAndCharacterOfPosition(at).line !== Number(line) - 1) return undefined;
    const around = this.#calls.get(file)!.filter(({ from, to }) => from <= at && at < to);
    return around.sort((one, other) => one.to - one.from - (other.to - other.from))[0];
  }
}

function callsIn(checker: Checker, file: string, source: SourceFile): Call[] {
  return callsOf(source).flatMap((call) => {
    const row = rowOf(checker, call);
    if (row === null) return [];
    const from = nameOf(call)!.getStart(source);
    const { line, character } = source.getLineAndCharacterOfPosition(from);
    return [{ place: `${file}:${line + 1}:${character + 1}`, from, to: call.getEnd(), row }];
  });
}

function callsOf(source: SourceFile): CallExpression[] {
  const calls: CallExpression[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) && nameOf(node)?.text === 'query') calls.push(node);
    node.forEachChild(visit);
  };
  visit(source);
  return calls;
}

const nameOf = ({ expression }: CallExpression) =>
  isPropertyAccessExpression(expression) && isIdentifier(expression.name) ? expression.name : null;

/** @returns null for a call of something else that is named so */
function rowOf(checker: Checker, call: CallExpression): Row | null {
  const type = checker.getTypeAtLocation(call);
  const promise = type && checker.getNonNullableType(type);
  const result = argumentOf(checker, promise, 'Promise');
  const row = argumentOf(checker, result, 'QueryResult');
  if (row === undefined) return null;
  if (row.flags & (TypeFlags.Any | TypeFlags.Unknown)) return 'untyped';
  if (row.flags & TypeFlags.TypeParameter) return 'generic';
  return checker.getPropertiesOfType(row).map((property) => {
    const kinds = kindsOf(checker, checker.getTypeOfSymbolAtLocation(property, call));
    return { name: property.name, isOptional: kinds.includes('undefined'), kinds };
  });
}

function argumentOf(checker: Checker, type: Type | undefined, name: string): Type | undefined {
  if (type?.getSymbol()?.name !== name) return undefined;
  return checker.getTypeArguments(type as TypeReference)[0];
}

function kindsOf(checker: Checker, type: Type): Kind[] {
  const { flags } = type;
  if (flags & TypeFlags.Null) return ['null'];
  if (flags & TypeFlags.Undefined) return ['undefined'];
  if (flags & TypeFlags.StringLike) return ['string'];
  if (flags & TypeFlags.NumberLike) return ['number'];
  if (flags & TypeFlags.BooleanLike) return ['boolean'];
  if (type.isUnionType()) return [...new Set(type.getTypes().flatMap((one) => kindsOf(checker, one)))];
  if (type.isIntersectionType()) return kindsOf(checker, type.getTypes()[0]!);
  if (!(flags & TypeFlags.Object)) return ['any'];
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return checker
      .getTypeArguments(type as TypeReference)
      .flatMap((one) => kindsOf(checker, one))
      .map((kind) => `${kind}[]`);
  const name = type.getSymbol()?.name ?? '';
  if (BINARY.has(name)) return ['Buffer'];
  return [name === 'Date' ? 'Date' : 'object'];
}
