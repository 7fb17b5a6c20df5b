/** Flags as small PNGs. Some of the drawings have 200 KB, and pages show them 20 pixels wide. */
import { z } from 'zod';
import { Problem, type StaticFile, staticFile } from '../../http/index.ts';
import { FLAG, flagFile } from '../../site/components/index.ts';
import { SITE_TAG } from '../../wire/cache-tags.ts';
import { countryCode } from '../../wire/match.ts';
import { DAY_SECONDS } from '../../wire/time.ts';
import { route } from '../deps.ts';

const MAX_AGE_SECONDS = 30 * DAY_SECONDS;
/** Pixels of the picture for one CSS pixel. */
const SHARPNESS = 2;
/** Resolution at which the drawing is read, so that fine parts are not lost. */
const DENSITY = 144;

async function draw(file: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(file, { density: DENSITY })
    .resize(FLAG.width * SHARPNESS, FLAG.height * SHARPNESS, { fit: 'fill' })
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();
}

/** Pictures that have been requested, by country. There are about 250, each with less than 1 KB. */
const drawn = new Map<string, StaticFile>();

export const flagRoute = route({
  method: 'GET',
  path: '/flags/{country}',
  summary: "A country's flag, as pages show it",
  tag: 'Pages',
  undocumented: true,
  access: 'public',
  cost: 0,
  cache: { maxAge: MAX_AGE_SECONDS },
  perAddress: { requests: 15_000, seconds: 60 },
  params: z.object({ country: countryCode }),
  query: z.object({ v: z.string().max(20).optional() }),
  response: { contentType: 'image/png' },
  handler: async ({ params: { country } }) => {
    const file = flagFile(country);
    if (file === null) throw new Problem('not_found', `There is no flag for ${country}.`);
    const picture = drawn.get(country) ?? staticFile(() => draw(file));
    drawn.set(country, picture);
    return { ...(await picture()), contentType: 'image/png', cacheTags: [SITE_TAG] };
  },
});
