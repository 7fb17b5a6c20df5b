/**
 * Checks the imports between rooms, which are the folders of src, against src/imports.json. It lists the rooms from the bottom to the top:
 * - `imports`: the rooms below that the room may import
 * - `files`: further rooms that one file may import
 * - `public`: the files that other rooms may import; without it, all
 * - `folders`: the parts of a large room from the bottom to the top, each with the parts below that it may import. A part is a folder,
 *   a file directly in the room, or `.`, which is the rest of these files.
 *
 * An import that is not listed fails, and so does an entry that no import needs. The linter finds cycles.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

interface Room {
  imports: string[];
  files?: Record<string, string[]>;
  public?: string[];
  folders?: Record<string, string[]>;
}
interface Import {
  from: string;
  to: string;
}

/** Returns a file's room. A file at the top is a separate room. */
const roomOf = (path: string): string => path.split('/', 1).join('').replace(/\.ts$/, '');
const withinRoom = (path: string): string => path.slice(path.indexOf('/') + 1);

/** Returns the part of the room that contains the file. */
function partOf(path: string, folders: Record<string, string[]>): string {
  const [first = '', ...rest] = withinRoom(path).split('/');
  return rest.length > 0 || first in folders ? first : '.';
}

/** Returns the relative imports in all files. Paths are relative to src, or to the root for operators. */
function readImports(root: string): Import[] {
  const source = resolve(root, 'src');
  const pathOf = (absolute: string): string => relative(source, absolute).replace(/^\.\.\//, '');
  return ['src', 'operators']
    .filter((folder) => existsSync(resolve(root, folder)))
    .flatMap((folder) =>
      readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        resolve(root, folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g), ([, specifier = '']) => ({
        from: pathOf(file),
        to: pathOf(resolve(dirname(file), specifier)),
      })),
    );
}

/**
 * Compares the imports that each importer uses with those that it lists. The lists are in order, from the bottom to the
 * top.
 */
function listFaults(lists: Record<string, string[]>, used: [string, string][]): string[] {
  const names = Object.keys(lists);
  const pairs = new Set(used.map((pair) => pair.join(' ')));
  return [
    ...used.filter(([from, to]) => !lists[from]?.includes(to)).map(([from, to]) => `${from} may not import ${to}`),
    ...Object.entries(lists).flatMap(([from, allowed]) =>
      allowed.flatMap((to) => [
        ...(names.indexOf(to) < names.indexOf(from) ? [] : [`${from} may not list ${to}, which is not above it`]),
        ...(pairs.has(`${from} ${to}`) ? [] : [`${from} lists ${to}, which it does not import`]),
      ]),
    ),
  ];
}

/** Returns faults in what other rooms import from a room. */
function publicFaults(name: string, room: Room, between: Import[]): string[] {
  if (room.public === undefined) return [];
  const listed = room.public;
  const imported = between.filter(({ to }) => to.startsWith(`${name}/`));
  return [
    ...listed
      .filter((file) => !imported.some(({ to }) => withinRoom(to) === file))
      .map((file) => `${name} lists ${file} as public, which no other room imports`),
    ...imported
      .filter(({ to }) => !listed.includes(withinRoom(to)))
      .map(({ from, to }) => `${from} imports ${to}, which is not public`),
  ];
}

/** Returns faults in the imports between a room's parts. */
function partFaults(name: string, { folders }: Room, imports: Import[]): string[] {
  if (folders === undefined) return [];
  const inside = imports
    .filter(({ from, to }) => from.startsWith(`${name}/`) && to.startsWith(`${name}/`))
    .map(({ from, to }): [string, string] => [partOf(from, folders), partOf(to, folders)]);
  return listFaults(
    folders,
    inside.filter(([from, to]) => from !== to),
  ).map((fault) => `${name}: ${fault}`);
}

/** Returns all faults in a checkout's imports, each once. */
export function importFaults(root: string): string[] {
  const rooms: Record<string, Room> = JSON.parse(readFileSync(resolve(root, 'src/imports.json'), 'utf8'));
  const imports = readImports(root);
  const between = imports.filter(({ from, to }) => roomOf(from) !== roomOf(to));
  const allowedFor = (path: string): string[] => rooms[roomOf(path)]?.files?.[withinRoom(path)] ?? [];
  const used = between
    // Among the files at the top only those that are listed have rules: main.ts may import any room.
    .filter(({ from, to }) => (from.includes('/') || roomOf(from) in rooms) && !allowedFor(from).includes(roomOf(to)))
    .map(({ from, to }): [string, string] => [roomOf(from), roomOf(to)]);
  const lists = Object.fromEntries(Object.entries(rooms).map(([name, room]) => [name, room.imports]));
  const entries = Object.entries(rooms);
  const unusedOfFiles = entries.flatMap(([name, { files = {} }]) =>
    Object.entries(files).flatMap(([file, allowed]) =>
      allowed
        .filter((to) => !between.some((one) => one.from === `${name}/${file}` && roomOf(one.to) === to))
        .map((to) => `${name}/${file} lists ${to}, which it does not import`),
    ),
  );
  return [
    ...new Set([
      ...listFaults(lists, used),
      ...unusedOfFiles,
      ...entries.flatMap(([name, room]) => publicFaults(name, room, between)),
      ...entries.flatMap(([name, room]) => partFaults(name, room, imports)),
    ]),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const faults = importFaults(resolve(import.meta.dirname, '../..'));
  for (const fault of faults) console.error(`src/imports.json: ${fault}`);
  if (faults.length > 0) process.exit(1);
}
