/**
 * A style sheet with the colours of both sides of a match. The page's content security policy allows no styles in the page itself. The
 * colours stand in the address, so the sheet never changes.
 */
import { z } from 'zod';
import type { SideColours, Theme } from '../../site/plots/index.ts';
import { THEMES } from '../../site/plots/index.ts';
import { SITE_TAG } from '../../wire/cache-tags.ts';
import { DAY_SECONDS } from '../../wire/time.ts';
import { route } from '../deps.ts';

const MAX_AGE_SECONDS = 365 * DAY_SECONDS;

/** Returns the style sheet's URL, relative to the root. */
export function sideColoursPath(colours: Record<Theme, SideColours>): string {
  const query = THEMES.map(
    (theme) => `${theme}=${[colours[theme].home, colours[theme].away].join('-').replaceAll('#', '')}`,
  );
  return `sides.css?${query.join('&')}`;
}

const pair = z.string().regex(/^[0-9a-f]{6}-[0-9a-f]{6}$/, 'must be two colours, as c8102e-034694');

/** The reader's theme chooses between the colours, as in site.css. Browsers from before 2024 show the light ones. */
function rule(light: string, dark: string): string {
  const [lights, darks] = [light.split('-'), dark.split('-')];
  const colour = (at: number) => `light-dark(#${lights[at]},#${darks[at]})`;
  return `:root{--side-home:#${lights[0]};--side-away:#${lights[1]}}
@supports (color:light-dark(#fff,#000)){:root{--side-home:${colour(0)};--side-away:${colour(1)}}}\n`;
}

export const sideColoursRoute = route({
  method: 'GET',
  path: '/sides.css',
  summary: 'The colours of both sides of a match, for its page',
  tag: 'Pages',
  undocumented: true,
  access: 'public',
  cost: 0,
  cache: { maxAge: MAX_AGE_SECONDS },
  perAddress: { requests: 15_000, seconds: 60 },
  query: z.object({ light: pair, dark: pair }),
  response: { contentType: 'text/css; charset=utf-8' },
  handler: ({ query: { light, dark } }) => ({
    body: rule(light, dark),
    cacheTags: [SITE_TAG],
  }),
});
