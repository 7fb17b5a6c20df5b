/**
 * Finds which declarations of the sources a role can run. The unit is a declaration at the top of a file, such as a function or a
 * constant. A declaration reaches the declarations that it names; a class or an object is reached as a whole.
 */
import { dirname, normalize, resolve } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isNamedExports,
  isNamedImports,
  isNamespaceImport,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTypeNode,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

interface Import {
  file: string;
  /** The name in that file. Null stands for the whole file. */
  name: string | null;
}

export interface Declaration {
  file: string;
  name: string;
  node: Node;
}

interface Module {
  declarations: Map<string, Declaration>;
  imports: Map<string, Import>;
  /** What the file exports from other files. */
  passedOn: Map<string, Import>;
}

/** The files of src and operators, by path. */
export type Modules = ReadonlyMap<string, Module>;

/** Reads all files. They are valid only during `work`. */
export function withModules<T>(work: (modules: Modules) => T): T {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProject: resolve('tsconfig.json') }).getProjects()[0]!;
    const modules = new Map<string, Module>();
    for (const path of project.rootFiles) {
      const file = /\/((?:src|operators)\/(?!client\/).*)$/.exec(path)?.[1];
      const source = file === undefined ? undefined : project.program.getSourceFile(path);
      if (source !== undefined) modules.set(file!, readModule(file!, source));
    }
    return work(modules);
  } finally {
    api.close();
  }
}

const pathFrom = (file: string, specifier: string) => normalize(`${dirname(file)}/${specifier}`);

function readModule(file: string, source: SourceFile): Module {
  const module: Module = { declarations: new Map(), imports: new Map(), passedOn: new Map() };
  const declare = (name: string, node: Node) => module.declarations.set(name, { file, name, node });
  for (const statement of source.statements) {
    if (isImportDeclaration(statement) || isExportDeclaration(statement)) {
      const { moduleSpecifier } = statement;
      if (moduleSpecifier === undefined || !isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith('.'))
        continue;
      const target = pathFrom(file, moduleSpecifier.text);
      if (isImportDeclaration(statement)) {
        const bindings = statement.importClause?.namedBindings;
        if (bindings !== undefined && isNamespaceImport(bindings))
          module.imports.set(bindings.name.text, { file: target, name: null });
        else if (bindings !== undefined && isNamedImports(bindings))
          for (const { name, propertyName } of bindings.elements)
            module.imports.set(name.text, { file: target, name: (propertyName ?? name).text });
      } else if (statement.exportClause !== undefined && isNamedExports(statement.exportClause))
        for (const { name, propertyName } of statement.exportClause.elements)
          module.passedOn.set(name.text, { file: target, name: (propertyName ?? name).text });
      else module.passedOn.set(`* ${target}`, { file: target, name: null });
    } else if (isVariableStatement(statement))
      for (const one of statement.declarationList.declarations)
        for (const name of boundNames(one.name)) declare(name, one);
    else if ('name' in statement && statement.name !== undefined)
      declare((statement.name as { text: string }).text, statement);
  }
  return module;
}

function boundNames(name: Node): string[] {
  if (isIdentifier(name)) return [name.text];
  const found: string[] = [];
  name.forEachChild((child) => void found.push(...boundNames('name' in child ? (child.name as Node) : child)));
  return found;
}

/** Returns the names that a declaration uses, without names of properties and types, and the files that it imports itself. */
function usedBy(root: Node): { names: Set<string>; all: Set<string>; loaded: string[] } {
  const names = new Set<string>();
  const all = new Set<string>();
  const loaded: string[] = [];
  const visit = (node: Node): void => {
    if (isTypeNode(node)) return;
    if (isIdentifier(node)) {
      names.add(node.text);
      all.add(node.text);
      return;
    }
    if (isPropertyAccessExpression(node)) {
      all.add(node.name.text);
      visit(node.expression);
      return;
    }
    if (isPropertyAssignment(node)) {
      visit(node.initializer);
      return;
    }
    if (isCallExpression(node) && node.expression.getText() === 'import') {
      const [specifier] = node.arguments;
      if (specifier !== undefined && isStringLiteral(specifier)) loaded.push(specifier.text);
    }
    node.forEachChild(visit);
  };
  visit(root);
  return { names, all, loaded };
}

/**
 * @param roots declarations that the role runs, as `file#name`
 * @param isLeftOut whether the role never runs a declaration that is named
 * @returns the reached declarations, each with the one that named it first
 */
export function reached(
  modules: Modules,
  roots: readonly string[],
  isLeftOut: (declaration: string) => boolean,
): Map<Declaration, Declaration | null> {
  const found = new Map<Declaration, Declaration | null>();
  const queue: Declaration[] = [];
  const reach = (file: string, name: string, from: Declaration | null): void => {
    const module = modules.get(file);
    if (module === undefined || isLeftOut(`${file}#${name}`)) return;
    const declaration = module.declarations.get(name);
    const elsewhere = module.imports.get(name) ?? module.passedOn.get(name);
    if (declaration !== undefined) {
      if (found.has(declaration)) return;
      found.set(declaration, from);
      queue.push(declaration);
    } else if (elsewhere !== undefined) reachImport(elsewhere, from);
    else for (const [key, { file: other }] of module.passedOn) if (key.startsWith('* ')) reach(other, name, from);
  };
  const reachImport = ({ file, name }: Import, from: Declaration | null): void => {
    if (name !== null) reach(file, name, from);
    else for (const one of modules.get(file)?.declarations.keys() ?? []) reach(file, one, from);
  };
  for (const root of roots) reach(...(root.split('#') as [string, string]), null);
  for (const declaration of queue) {
    const { file, node } = declaration;
    const { names, all, loaded } = usedBy(node);
    for (const name of names) reach(file, name, declaration);
    for (const specifier of loaded) for (const name of all) reach(pathFrom(file, specifier), name, declaration);
  }
  return found;
}
