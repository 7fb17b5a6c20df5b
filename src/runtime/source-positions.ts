/**
 * Positions in the sources for a log from the image. Node would translate them too, but would keep the maps of all files in memory
 * for that: 5 MB in each process.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';

const MAX_KNOWN = 1_000;
const POSITION = /file:\/\/[^\s():"]+\/dist\/[\w-]+\.js:\d+:\d+/g;

/** Returns a function that replaces positions in bundled files by those in the sources. @param folder URL of the bundle */
export function sourcePositions(folder: string): (text: string) => string {
  const known = new Map<string, string>();

  /** Reads the file's map, and forgets it again, since the same errors return. */
  function translate(position: string): string {
    const [, file = '', line, column] = /^(.+):(\d+):(\d+)$/.exec(position)!;
    if (!file.startsWith(folder)) return position;
    try {
      const map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
      const origin = map.findOrigin(Number(line), Number(column));
      if (!('fileName' in origin)) return position;
      return `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}`;
    } catch {
      return position;
    }
  }

  return (text) =>
    text.replaceAll(POSITION, (position) => {
      let found = known.get(position);
      if (found === undefined) {
        found = translate(position);
        if (known.size >= MAX_KNOWN) known.clear();
        known.set(position, found);
      }
      return found;
    });
}

/** The bundle's folder in the image: beside that of the launcher. */
const folder = () => new URL('../dist/', pathToFileURL(realpathSync(process.argv[1] ?? '.'))).href;

let ofImage: ((text: string) => string) | undefined;

/** Replaces positions in the image's bundle. */
export function withSourcePositions(text: string): string {
  if (!text.includes('/dist/')) return text;
  ofImage ??= sourcePositions(folder());
  return ofImage(text);
}
