/**
 * The declared row types of the sources' statements: the type argument of each `query<Row>` call, as the compiler
 * resolves it.
 */
import { resolve } from 'node:path';
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isIdentifier, isPropertyAccessExpression } from 'typescript/unstable/ast/is';
import { API, type Checker, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync';

/** Kind of a JavaScript value. For a list, [] follows. */
export type Kind = string;

export interface Property {
  name: string;
  isOptional: boolean;
  /** Possible kinds: string, number, boolean, Date, Buffer, object, null, undefined, any. */
  kinds: Kind[];
}

/**
 * `untyped` means any, which the driver returns if a call has no type argument. It also stands for statements without
 * rows, such as COPY.
 */
export type Row = readonly Property[] | 'untyped';

const BINARY = new Set(['Buffer', 'Uint8Array']);

/**
 * Returns the row type of each driver call in the sources, by the place of the word `query`: `src/file.ts:line:column`.
 */
export function rowTypes(): Map<string, Row> {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProject: resolve('tsconfig.json') }).getProjects()[0]!;
    const rows = new Map<string, Row>();
    for (const name of project.rootFiles) {
      const file = /\/((?:src|operators)\/(?!client\/).*)$/.exec(name)?.[1];
      const source = file === undefined ? undefined : project.program.getSourceFile(name);
      if (source === undefined) continue;
      for (const call of callsOf(source)) rows.set(`${file}:${placeOf(source, call)}`, rowOf(project.checker, call));
    }
    return rows;
  } finally {
    api.close();
  }
}

function placeOf(source: SourceFile, call: CallExpression): string {
  const { line, character } = source.getLineAndCharacterOfPosition(nameOf(call)!.getStart(source));
  return `${line + 1}:${character + 1}`;
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

function rowOf(checker: Checker, call: CallExpression): Row {
  const type = checker.getTypeAtLocation(call);
  const promise = type && checker.getNonNullableType(type);
  const result = argumentOf(checker, promise, 'Promise');
  const row = argumentOf(checker, result, 'QueryResult');
  const unknown = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter;
  if (row === undefined || row.flags & unknown) return 'untyped';
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
