/** Flags of countries, from the package flag-icons. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Html, html } from '../html.ts';

/** Width and height on pages, in CSS pixels. */
export const FLAG = { width: 20, height: 15 };

const EXTENSION = '.svg';
let found: { folder: string; version: string; names: ReadonlySet<string> } | undefined;

function flags() {
  if (found !== undefined) return found;
  const manifest = createRequire(import.meta.url).resolve('flag-icons/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = join(dirname(manifest), 'flags/4x3');
  const names = new Set(readdirSync(folder).map((file) => file.slice(0, -EXTENSION.length)));
  found = { folder, version, names };
  return found;
}

/** Returns the path of a flag's SVG. Null for a country without a flag, such as INT, and for former states. */
export function flagFile(country: string): string | null {
  const { folder, names } = flags();
  const name = country.toLowerCase();
  return names.has(name) ? join(folder, name + EXTENSION) : null;
}

/** Returns the path of a flag's picture, from the service's root. Null for a country without a flag. */
export const flagPath = (country: string | null | undefined): string | null =>
  !country || flagFile(country) === null ? null : `flags/${country}?v=${flags().version}`;

/**
 * Shows a country's flag, or nothing if it has none. The country's name must stand beside the flag, which screen readers do not read.
 * @param country our code, such as FR or GB-ENG
 */
export function flag(country: string | null | undefined, root: string): Html | null {
  const path = flagPath(country);
  if (path === null) return null;
  return html`<img class="flag" src="${root}${path}" alt="" width="${FLAG.width}" height="${FLAG.height}" loading="lazy">`;
}
