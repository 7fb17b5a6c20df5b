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
import { readdirSync, readFileSync } from 'node:fs';
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

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCE = resolve(ROOT, 'src');
const rooms = new Map(
  Object.entries(JSON.parse(readFileSync(resolve(SOURCE, 'imports.json'), 'utf8')) as Record<string, Room>),
);
const faults = new Set<string>();

/** Returns the path below src, or below the root for operators. */
const pathOf = (absolute: string): string => relative(SOURCE, absolute).replace(/^\.\.\//, '');
/** Returns the room of a file; a file at the top is a room of its own. */
const roomOf = (path: string): string => path.split('/', 1).join('').replace(/\.ts$/, '');
const withinRoom = (path: string): string => path.slice(path.indexOf('/') + 1);

/** Returns the part of the room that has the file. */
function partOf(path: string, folders: Record<string, string[]>): string {
  const [first = '', ...rest] = withinRoom(path).split('/');
  return rest.length > 0 || first in folders ? first : '.';
}

const files = ['src', 'operators'].flatMap((root) =>
  readdirSync(resolve(ROOT, root), { recursive: true, encoding: 'utf8' }).map((file) => resolve(ROOT, root, file)),
);
const imports = files
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file): Import[] =>
    Array.from(readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g), ([, specifier = '']) => ({
      from: pathOf(file),
      to: pathOf(resolve(dirname(file), specifier)),
    })),
  );
const between = imports.filter(({ from, to }) => roomOf(from) !== roomOf(to));

/** Compares uses of each importer with its list, whose names stand in the order of `names`. */
function compare(lists: Record<string, string[]>, used: [string, string][], names: string[], where: string): void {
  const pairs = new Set(used.map((pair) => pair.join(' ')));
  for (const [from, to] of used) if (!lists[from]?.includes(to)) faults.add(`${where}${from} may not import ${to}`);
  for (const [from, allowed] of Object.entries(lists))
    for (const to of allowed) {
      if (names.indexOf(to) >= names.indexOf(from))
        faults.add(`${where}${from} may not list ${to}, which is not above it`);
      if (!pairs.has(`${from} ${to}`)) faults.add(`${where}${from} lists ${to}, which it does not import`);
    }
}

// Among the files at the top only those that are listed have rules: main.ts may import any room.
const ruled = between.filter(({ from }) => from.includes('/') || rooms.has(roomOf(from)));
const allowedFor = (path: string): string[] => rooms.get(roomOf(path))?.files?.[withinRoom(path)] ?? [];
compare(
  Object.fromEntries(Array.from(rooms, ([name, room]) => [name, room.imports])),
  ruled
    .filter(({ from, to }) => !allowedFor(from).includes(roomOf(to)))
    .map(({ from, to }) => [roomOf(from), roomOf(to)]),
  [...rooms.keys()],
  '',
);

for (const [name, room] of rooms) {
  for (const [file, allowed] of Object.entries(room.files ?? {}))
    for (const to of allowed)
      if (!between.some((one) => one.from === `${name}/${file}` && roomOf(one.to) === to))
        faults.add(`${name}/${file} lists ${to}, which it does not import`);

  const imported = between.filter(({ to }) => to.startsWith(`${name}/`));
  for (const file of room.public ?? [])
    if (!imported.some(({ to }) => withinRoom(to) === file))
      faults.add(`${name} lists ${file} as public, which no other room imports`);
  for (const { from, to } of imported)
    if (room.public && !room.public.includes(withinRoom(to))) faults.add(`${from} imports ${to}, which is not public`);

  const { folders } = room;
  if (folders === undefined) continue;
  const inside = imports
    .filter(({ from, to }) => from.startsWith(`${name}/`) && to.startsWith(`${name}/`))
    .map(({ from, to }): [string, string] => [partOf(from, folders), partOf(to, folders)]);
  compare(
    folders,
    inside.filter(([from, to]) => from !== to),
    Object.keys(folders),
    `${name}: `,
  );
}

for (const fault of faults) console.error(`src/imports.json: ${fault}`);
if (faults.size > 0) process.exit(1);
