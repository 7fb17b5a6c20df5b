/** Draws the image for a participant without a stored one. It shows initials on two colours, which are derived from the name. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { foldName } from '../db/fold-name.ts';
import { dataRows } from '../wire/data-file.ts';
import { IMAGE_SIZE, imageEtag, type PreparedImage } from '../wire/prepared-image.ts';

/** SVG paths by letter. */
export const GLYPHS: Partial<Record<string, string>> = Object.fromEntries(
  dataRows('monogram-glyphs.csv', ['letter', 'path']).map(({ letter, path }) => [letter, path]),
);
/** Words in club names that do not tell clubs apart. */
const FILLERS = new Set('fc cf ac as sc fk cd ud sv fsv vfb vfl tsg afc bc bk if club de the and 1'.split(' '));
const GLYPH_HEIGHT = 6;
const GLYPH_WIDTH = 4;
/** Gap between letters, in units of the glyph grid. */
const GAP = 1.6;
const STROKE = 0.95;

/**
 * Returns initials: for a team, the first letters of two words, or three letters of a single word; for a player, the first
 * and the last initial.
 */
export function initials(name: string, type: 'team' | 'player'): string {
  const words = foldName(name).toUpperCase().split(' ');
  const significant = words.filter((word) => !FILLERS.has(word.toLowerCase()));
  const [first = '', second, ...others] = significant.length > 0 ? significant : words;
  if (second === undefined) return type === 'team' ? first.slice(0, 3) : first.slice(0, 1);
  return first.charAt(0) + (type === 'team' ? second : (others.at(-1) ?? second)).charAt(0);
}

/** Draws the monogram as an SVG that needs no font. */
export function monogramSvg(name: string, type: 'team' | 'player'): string {
  const digest = createHash('sha256')
    .update(`${type}:${foldName(name) || name}`)
    .digest();
  const hue = (digest.readUInt16BE(0) * 360) / 65_536;
  const background = `hsl(${hue.toFixed(0)}, 46%, 34%)`;
  const band = `hsl(${((hue + 20 + (digest.readUInt8(2) % 50)) % 360).toFixed(0)}, 52%, 42%)`;
  const letters = [...initials(name, type)].filter((letter) => GLYPHS[letter] !== undefined);
  const width = Math.max(1, letters.length) * GLYPH_WIDTH + (letters.length - 1) * GAP;
  const scale = Math.min(56 / GLYPH_HEIGHT, 84 / width);
  const left = (IMAGE_SIZE - width * scale) / 2;
  const top = (IMAGE_SIZE - GLYPH_HEIGHT * scale) / 2;
  const strokes = letters.map(
    (letter, index) => `<path transform="translate(${index * (GLYPH_WIDTH + GAP)})" d="${GLYPHS[letter]}"/>`,
  );
  const outline =
    type === 'team' ? '<path d="M15 12H135V78Q135 122 75 144 15 122 15 78Z"/>' : '<circle cx="75" cy="75" r="69"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${IMAGE_SIZE}" height="${IMAGE_SIZE}"><clipPath id="c">${outline}</clipPath>
<g clip-path="url(#c)"><rect width="150" height="150" fill="${background}"/><path d="M0 150V95L150 20V150Z" fill="${band}"/></g>
<g transform="translate(${left.toFixed(2)} ${top.toFixed(2)}) scale(${scale.toFixed(3)})" fill="none" stroke="#fff" stroke-width="${STROKE}" stroke-linecap="round" stroke-linejoin="round">${strokes.join('')}</g></svg>`;
}

/** Maximum number of monograms in memory. Each has about 2 KB. */
const MAX_CACHED = 2_000;
const cache = new LRUCache<string, PreparedImage>({ max: MAX_CACHED });

export async function monogram(name: string, type: 'team' | 'player'): Promise<PreparedImage> {
  const key = `${type}:${name}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const { default: sharp } = await import('sharp');
  // Compression takes 1.6 ms. Level 9 would take 4.8 ms and save 7 % of 3.8 KB.
  const png = await sharp(Buffer.from(monogramSvg(name, type)))
    .png({ compressionLevel: 6 })
    .toBuffer();
  const image = { png, etag: imageEtag(png) };
  cache.set(key, image);
  return image;
}
