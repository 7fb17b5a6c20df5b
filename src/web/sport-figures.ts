/** A sport's player and team figures, and its words for scores, for pages. */
import type { Lang } from '../http/index.ts';
import { COLUMN_HEADS, fill, STATISTICS_RU, TEXTS } from '../site/texts/index.ts';
import { UNITS } from '../sports/score-units.ts';
import type { Sport } from '../sports/sport.ts';
import { isCricketFigure, type PlayerFigure } from '../sports/sport-words.ts';
import { findSport, sportWords } from '../sports/sports.ts';
import { USUAL_COLUMNS } from '../sports/table-defaults.ts';

/** Figures of a team. The rest belongs to players. */
const TEAM_FIGURES: Record<string, (sport: Sport) => boolean> = {
  clean_sheets: ({ page }) => page.cleanSheets,
  draws: ({ draws }) => draws,
};

/** Returns the figures that a team has in the sport. For an unknown sport, returns all figures. */
export function teamFigures<F extends string>(figures: readonly F[], slug: string): F[] {
  const sport = findSport(slug);
  return figures.filter((figure) => sport === undefined || (TEAM_FIGURES[figure]?.(sport) ?? true));
}

/** Returns the figures that a player has in the sport. For an unknown sport, returns all figures. */
export function playerFigures<F extends PlayerFigure>(figures: readonly F[], slug: string): F[] {
  const sport = findSport(slug);
  return figures.filter((figure) => sport === undefined || figure === 'matches' || sport.leaders.includes(figure));
}

/**
 * Returns the words for a figure. `goals` are what players and teams score, such as points or runs, and `conceded` is what
 * a team's opponents score.
 */
export function figureNames(
  figure: PlayerFigure | 'draws' | 'conceded',
  slug: string,
  lang: Lang,
): readonly [short: string, long: string] {
  const own = sportWords(slug).figures[figure];
  if (own !== undefined) return [own.short[lang], own.long[lang]];
  const { short, stats } = TEXTS[lang].catalogue;
  if (figure === 'draws' || figure === 'conceded')
    return COLUMN_HEADS[lang][figure === 'draws' ? 'draws' : 'scores_against'];
  if (isCricketFigure(figure)) return figureNames(figure, 'cricket', lang);
  return [figure in short ? short[figure as keyof typeof short] : stats[figure], stats[figure]];
}

/** Returns the words for a match's average score: `Runs per match`, `Points per match, home side`. */
export function perMatchText(slug: string, lang: Lang, of: 'both' | 'home' | 'away' = 'both'): string {
  const text = fill(TEXTS[lang].catalogue.perMatch[of], { units: UNITS[findSport(slug)?.unit ?? 'points'][lang].many });
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the words for what a side scores or concedes: `Goals scored per match`, `Sets lost per match`. */
export function gainedPerMatchText(what: 'scored' | 'conceded', slug: string, lang: Lang): string {
  const unit = UNITS[findSport(slug)?.unit ?? 'points'];
  const values = { units: unit[lang].many, gained: unit.gained[lang][what] };
  const text = fill(TEXTS[lang].catalogue.gainedPerMatch, values);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a sport's tables have points. Tables without points are ordered by win percentage. */
export const hasTablePoints = (slug: string): boolean =>
  (findSport(slug)?.table.columns ?? USUAL_COLUMNS).includes('points');

/** Returns the name of a statistic, which sources write in English. */
export const statisticName = (name: string, slug: string, lang: Lang): string =>
  lang === 'en' ? name : (sportWords(slug).statisticsRu[name] ?? STATISTICS_RU[name] ?? name);
