/**
 * Chooses the colours of both sides of a match for charts: their own, if these can be seen on the page and told apart, else neutral
 * ones.
 */
import { contrast, difference, isGrey, mixed, type TeamColours } from '../../wire/team-colours.ts';
import { PALETTES, type Palette, THEMES, type Theme } from './palette.ts';

export interface SideColours {
  home: string;
  away: string;
}

/** Lowest contrast with the page: WCAG 2.2, criterion 1.4.11, graphical objects. */
const VISIBLE = 3;
/**
 * Largest share of black on a light page, or white on a dark one, that makes a colour visible. With more, yellow would be olive, and
 * a team's second colour tells more about it.
 */
const MOST_SHADE = 0.3;
const SHADE_STEP = 0.05;
/** Smallest `difference` between two sides. */
const APART = 0.14;
/** Smallest `difference` between a side and the grey of draws. For a side that is grey itself it is larger. */
const FROM_DRAW = { coloured: 0.035, grey: 0.25 };

/** Returns the colour, shaded if that makes it visible and unlike a draw. Null if it cannot be seen on this page. */
function visible(colour: string, { paper, level }: Palette, shade: string): string | null {
  for (let share = 0; share <= MOST_SHADE + SHADE_STEP / 2; share += SHADE_STEP) {
    const shaded = mixed(colour, shade, share);
    const fromDraw = isGrey(shaded) ? FROM_DRAW.grey : FROM_DRAW.coloured;
    if (contrast(shaded, paper) >= VISIBLE && difference(shaded, level) >= fromDraw) return shaded;
  }
  return null;
}

function choose(home: TeamColours | null, away: TeamColours | null, theme: Theme): SideColours {
  const palette = PALETTES[theme];
  const shade = theme === 'light' ? '#000000' : '#ffffff';
  const own = (team: TeamColours | null) =>
    (team?.colours ?? []).flatMap((colour) => (colour === undefined ? [] : (visible(colour, palette, shade) ?? [])));
  const ofHome = own(home)[0] ?? palette.home;
  const neutral = [palette.away, palette.home, palette.third];
  // A test shows that no listed colour is near to all three neutral ones.
  const ofAway = [...own(away), ...neutral].find((colour) => difference(colour, ofHome) >= APART)!;
  return { home: ofHome, away: ofAway };
}

/** Returns the colours for each theme. Null if neither side's own colours are known. */
export function sideColours(home: TeamColours | null, away: TeamColours | null): Record<Theme, SideColours> | null {
  if (home === null && away === null) return null;
  const [light, dark] = THEMES.map((theme) => choose(home, away, theme));
  return { light: light!, dark: dark! };
}
