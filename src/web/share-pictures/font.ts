/**
 * The fonts of the pictures for sharing, with what is needed before text is drawn: which characters a font has, and how wide a text is.
 * The format is OpenType 1.9: https://learn.microsoft.com/typography/opentype/spec
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { foldName } from '../../db/fold-name.ts';

const resolve = (file: string): string => createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${file}`);
/** Files by weight. Inter has Latin with accents, Cyrillic and Greek letters. */
export const FONT_FILES = {
  400: resolve('400Regular/Inter_400Regular.ttf'),
  700: resolve('700Bold/Inter_700Bold.ttf'),
} as const;
export type Weight = keyof typeof FONT_FILES;

export interface Font {
  has(character: string): boolean;
  /** Returns the width of a text, without kerning. @param size in pixels */
  width(text: string, size: number): number;
}

/** Subtables of `cmap` with the format for characters beyond the first 65,536, or without these. */
const SEGMENTS = 4;
const GROUPS = 12;

/** Returns the tables of the font by name. */
function readTables(file: Buffer): Record<string, Buffer> {
  const count = file.readUInt16BE(4);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const at = 12 + index * 16;
      const [offset, length] = [file.readUInt32BE(at + 8), file.readUInt32BE(at + 12)];
      return [file.toString('latin1', at, at + 4), file.subarray(offset, offset + length)];
    }),
  );
}

/** Returns the glyph of each character that the font has. */
function readGlyphs(cmap: Buffer): Map<number, number> {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(8 + index * 8)),
  );
  const ofFormat = (format: number) => subtables.find((table) => table.readUInt16BE(0) === format);
  const glyphs = new Map<number, number>();
  const groups = ofFormat(GROUPS);
  if (groups !== undefined) {
    for (let index = 0; index < groups.readUInt32BE(12); index++) {
      const [first, last, glyph] = [0, 4, 8].map((at) => groups.readUInt32BE(16 + index * 12 + at));
      for (let code = first!; code <= last!; code++) glyphs.set(code, glyph! + code - first!);
    }
    return glyphs;
  }
  const segments = ofFormat(SEGMENTS);
  if (segments === undefined) throw new Error('The font has no table of characters in format 4 or 12.');
  const size = segments.readUInt16BE(6);
  for (let index = 0; index < size; index += 2) {
    const last = segments.readUInt16BE(14 + index);
    const [first, delta, range] = [16, 16 + size, 16 + 2 * size].map((at) => segments.readUInt16BE(at + size + index));
    for (let code = first!; code <= last && code < 0xffff; code++) {
      // The offset counts from its own place in the table.
      const at = 16 + 3 * size + index + range! + (code - first!) * 2;
      const named = range === 0 ? code : segments.readUInt16BE(at);
      const glyph = range !== 0 && named === 0 ? 0 : (named + delta!) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
  return glyphs;
}

/** @throws if the file is not a TrueType font */
export function readFont(file: Buffer): Font {
  const { cmap, head, hhea, hmtx } = readTables(file);
  if (!cmap || !head || !hhea || !hmtx) throw new Error('The file is not a TrueType font.');
  const unitsPerEm = head.readUInt16BE(18);
  const widths = hhea.readUInt16BE(34);
  const glyphs = readGlyphs(cmap);
  const readWidth = (character: string) => {
    const glyph = glyphs.get(character.codePointAt(0)!) ?? 0;
    // The last width counts for all glyphs after it.
    return hmtx.readUInt16BE(Math.min(glyph, widths - 1) * 4);
  };
  return {
    has: (character) => glyphs.has(character.codePointAt(0)!),
    width: (text, size) => ([...text].reduce((sum, one) => sum + readWidth(one), 0) * size) / unitsPerEm,
  };
}

const fonts = new Map<Weight, Font>();

/** Reads the font on first use. */
export function loadFont(weight: Weight): Font {
  const font = fonts.get(weight) ?? readFont(readFileSync(FONT_FILES[weight]));
  fonts.set(weight, font);
  return font;
}

const ACCENTS = /\p{M}+/gu;

/**
 * Returns the text with only the characters that the font has, so that no picture shows empty boxes. A letter without a glyph is
 * replaced by the plain letter, and left out if that is missing too. Empty for a text in a script that the font does not have.
 */
export function drawable(text: string, font: Font): string {
  const all = (letters: string) => letters !== '' && [...letters].every((letter) => font.has(letter));
  const shown = [...text.normalize('NFC')].map((letter) => {
    if (/\s/u.test(letter)) return ' ';
    if (font.has(letter)) return letter;
    const plain = [letter.normalize('NFKD').replace(ACCENTS, ''), foldName(letter)].find(all);
    return plain ?? '';
  });
  return shown.join('').replace(/ +/g, ' ').trim();
}
