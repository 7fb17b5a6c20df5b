/** Draws pictures for shared links, of 1200 by 630 pixels. Chat programs show them beside a link, often 300 pixels wide. */
import type { ParticipantDrawing } from '../../catalogue/index.ts';
import { type Html, html } from '../../site/html.ts';
import type { Sport } from '../../sports/sport.ts';
import { findSport } from '../../sports/sports.ts';
import type { TeamColours } from '../../wire/team-colours.ts';
import { drawable, FONT_FILES, loadFont, type Weight } from './font.ts';

export const PICTURE = { width: 1_200, height: 630 } as const;
export const INK = { main: '#ffffff', soft: '#8fdcb4', line: '#14533a', ground: '#0c3b28' } as const;
/** Distance of the content from the edges, in pixels. */
export const MARGIN = 64;
const BAND = 20;

export interface TextLine {
  text: string;
  /** The start, the middle or the end of the text, as `anchor` says. */
  x: number;
  /** Of the line on which the letters stand. */
  y: number;
  /** Font size in pixels. */
  size: number;
  weight?: Weight;
  colour?: string;
  anchor?: 'start' | 'middle' | 'end';
  maxWidth: number;
  /** Smallest size to which a text is shrunk that is wider than `maxWidth`. What is still wider is cut. */
  minSize?: number;
}

/** Returns the text, and the size at which it is not wider than `maxWidth`. */
export function fitted({ text, size, weight = 400, maxWidth, minSize = size }: TextLine): {
  text: string;
  size: number;
} {
  const font = loadFont(weight);
  const shown = drawable(text, font);
  const width = font.width(shown, size);
  if (width <= maxWidth) return { text: shown, size };
  const smaller = Math.floor((size * maxWidth) / width);
  if (smaller >= minSize) return { text: shown, size: smaller };
  const letters = [...shown];
  let most = letters.length - 1;
  const cut = () => `${letters.slice(0, most).join('').trimEnd()}…`;
  while (most > 0 && font.width(cut(), minSize) > maxWidth) most -= 1;
  return { text: cut(), size: minSize };
}

/** Draws one line of text. Draws nothing if the font has none of its characters. */
export function textLine(line: TextLine): Html | '' {
  const { x, y, weight = 400, colour = INK.main, anchor = 'start' } = line;
  const { text, size } = fitted(line);
  if (text === '') return '';
  return html`<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}" text-anchor="${anchor}">${text}</text>`;
}

/** Draws a crest, or a photo. @param size in pixels */
export function crest({ content, type }: ParticipantDrawing, x: number, y: number, size: number): Html {
  const data = `data:${type};base64,${Buffer.from(content).toString('base64')}`;
  return html`<image href="${data}" x="${x}" y="${y}" width="${size}" height="${size}"/>`;
}

/** Draws a team's colours as a band along one edge of the picture. Teams without known colours have none. */
export function colourBand(team: TeamColours | null, edge: 'left' | 'right'): Html | '' {
  if (team === null) return '';
  const [main, second] = team.colours;
  const [outer, inner] = edge === 'left' ? [0, BAND] : [PICTURE.width - BAND, PICTURE.width - BAND - BAND / 2];
  return html`<rect x="${outer}" width="${BAND}" height="${PICTURE.height}" fill="${main}"/>
<rect x="${inner}" width="${BAND / 2}" height="${PICTURE.height}" fill="${second}"/>`;
}

const GROUND_LINES: Record<Sport['ground'], string> = {
  circle: 'M600 0V630M460 315A140 140 0 1 0 740 315 140 140 0 1 0 460 315',
  line: 'M600 0V630',
  none: '',
};

/** Returns the lines in the middle of a sport's ground, which are drawn behind the content. @param sport slug */
export const ground = (sport: string): Html =>
  html`<path fill="none" stroke="${INK.line}" stroke-width="6" d="${GROUND_LINES[findSport(sport)?.ground ?? 'none']}"/>`;

/** Returns the name of the site at the foot of each picture. */
export const footer = (baseUrl: string): Html => {
  const host = new URL(baseUrl).host;
  const y = PICTURE.height - 34;
  return html`${textLine({ text: 'Touchline', x: MARGIN, y, size: 26, weight: 700, maxWidth: 300 })}
${textLine({ text: host, x: PICTURE.width - MARGIN, y, size: 24, colour: INK.soft, anchor: 'end', maxWidth: 600 })}`;
};

/**
 * Renders a picture as PNG. It takes 70 to 90 ms in threads beside the event loop.
 * @param content SVG, in pixels
 */
export async function renderPicture(content: Html): Promise<Buffer> {
  const { width, height } = PICTURE;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Inter">
<rect width="${width}" height="${height}" fill="${INK.ground}"/>${content}</svg>`;
  // The libraries are loaded with the first picture: a process that draws none does not need their memory.
  const { renderAsync } = await import('@resvg/resvg-js');
  const { default: sharp } = await import('sharp');
  const drawn = await renderAsync(svg.text, {
    font: { fontFiles: Object.values(FONT_FILES), loadSystemFonts: false, defaultFontFamily: 'Inter' },
  });
  const raw = { width, height, channels: 4 } as const;
  return sharp(drawn.pixels, { raw }).removeAlpha().png({ compressionLevel: 6 }).toBuffer();
}
