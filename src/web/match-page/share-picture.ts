/**
 * Draws a match picture for shared links: both logos, the score or the day, and the names. A container image has no fonts, so letters are
 * drawn as strokes, as in monograms. Names are in plain Latin capitals.
 */
import { GLYPHS } from '../../catalogue/index.ts';
import { foldName } from '../../db/fold-name.ts';

const WIDTH = 1_200;
const HEIGHT = 630;
const LOGO = { size: 260, top: 110, inset: 110 };
const SCORE_Y = 190;
const NAME_Y = 420;
const FOOT_Y = 540;
/** How wide a letter and a space are, in units of the glyph grid. */
const ADVANCE = 5.6;
const GRID_HEIGHT = 6;
const MAX_NAME = 22;

/** Strokes for characters that monograms do not have. */
const SIGNS: Record<string, string> = { ':': 'M2 1.6V2.2M2 4.4V5', '-': 'M.6 3H3.4', ' ': '' };

interface Line {
  text: string;
  /** The text's centre. */
  x: number;
  y: number;
  height: number;
  colour: string;
  maxWidth: number;
}

function strokes({ text, x, y, height, colour, maxWidth }: Line): string {
  const letters = [...text].filter((letter) => (GLYPHS[letter] ?? SIGNS[letter]) !== undefined);
  const width = letters.length * ADVANCE - (ADVANCE - 4);
  const scale = Math.min(height / GRID_HEIGHT, maxWidth / width);
  const paths = letters.map((letter, index) => {
    const path = GLYPHS[letter] ?? SIGNS[letter];
    return path === '' ? '' : `<path transform="translate(${(index * ADVANCE).toFixed(1)})" d="${path}"/>`;
  });
  const left = x - (width * scale) / 2;
  return `<g transform="translate(${left.toFixed(1)} ${y}) scale(${scale.toFixed(3)})" stroke="${colour}">${paths.join('')}</g>`;
}

const plain = (name: string) => foldName(name).toUpperCase().slice(0, MAX_NAME).trim();

export interface SharedMatch {
  home: { name: string; png: Buffer };
  away: { name: string; png: Buffer };
  /** `2:1`, or the day as `10-05-2026`. */
  middle: string;
  tournament: string;
}

/** @returns a PNG of 1200 by 630 pixels */
export async function sharePicture({ home, away, middle, tournament }: SharedMatch): Promise<Buffer> {
  const column = WIDTH / 3;
  const text = [
    strokes({ text: middle, x: WIDTH / 2, y: SCORE_Y, height: 100, colour: '#ffffff', maxWidth: column - 60 }),
    strokes({ text: plain(home.name), x: 240, y: NAME_Y, height: 36, colour: '#ffffff', maxWidth: 420 }),
    strokes({ text: plain(away.name), x: WIDTH - 240, y: NAME_Y, height: 36, colour: '#ffffff', maxWidth: 420 }),
    strokes({ text: plain(tournament), x: WIDTH / 2, y: FOOT_Y, height: 26, colour: '#8fdcb4', maxWidth: 900 }),
  ];
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#0c3b28"/>
<path d="M600 0V630M460 315A140 140 0 1 0 740 315 140 140 0 1 0 460 315" fill="none" stroke="#14533a" stroke-width="6"/>
<g fill="none" stroke-width=".8" stroke-linecap="round" stroke-linejoin="round">${text.join('')}</g>
</svg>`;
  const { default: sharp } = await import('sharp');
  const logos = await Promise.all(
    [
      { png: home.png, left: LOGO.inset },
      { png: away.png, left: WIDTH - LOGO.inset - LOGO.size },
    ].map(async ({ png, left }) => ({
      input: await sharp(png).resize(LOGO.size, LOGO.size).png().toBuffer(),
      left,
      top: LOGO.top,
    })),
  );
  return sharp(Buffer.from(ground)).composite(logos).png({ compressionLevel: 9, palette: true }).toBuffer();
}
