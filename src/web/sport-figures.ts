/** What pages need to know about a sport: which player and team figures it has, and its words for scores. */
import type { Lang } from '../http/index.ts';
import { COLUMN_HEADS, fill, TEXTS } from '../site/texts/index.ts';
import { UNITS } from '../sports/score-units.ts';
import type { Sport } from '../sports/sport.ts';
import { findSport } from '../sports/sports.ts';
import { USUAL_COLUMNS } from '../sports/table-defaults.ts';

const CONDITIONS: Record<string, (sport: Sport) => boolean> = {
  goals_and_assists: ({ score }) => score.countedBy !== 'point',
  penalties: ({ score, incidents }) => score.countedBy !== 'point' && incidents.includes('penalty'),
  own_goals: ({ score }) => score.countedBy !== 'point',
  yellow_cards: ({ incidents }) => incidents.includes('card'),
  red_cards: ({ incidents }) => incidents.includes('card'),
  cards: ({ incidents }) => incidents.includes('card'),
  clean_sheets: ({ page }) => page.cleanSheets,
  minutes: ({ playerMinutes }) => playerMinutes !== undefined,
  draws: ({ draws }) => draws,
};

/** Returns the figures that the sport has. For an unknown sport, returns all figures. */
export function sportFigures<F extends string>(figures: readonly F[], slug: string): F[] {
  const sport = findSport(slug);
  return figures.filter((figure) => sport === undefined || (CONDITIONS[figure]?.(sport) ?? true));
}

/** Returns the words for the goals or points that a team scores and concedes. */
export function scoreNames(
  slug: string,
  lang: Lang,
): Record<'scored' | 'conceded', readonly [short: string, long: string]> {
  const { short, stats, conceded } = TEXTS[lang].catalogue;
  if (findSport(slug)?.score.countedBy !== 'point')
    return { scored: [short.goals, stats.goals], conceded: [short.conceded, conceded] };
  return { scored: COLUMN_HEADS[lang].scores_for, conceded: COLUMN_HEADS[lang].scores_against };
}

/** Returns the word for what a player scores, such as goals or points. */
export function scoredName(slug: string, lang: Lang): readonly [short: string, long: string] {
  const { short, stats, points } = TEXTS[lang].catalogue;
  return findSport(slug)?.score.countedBy === 'point' ? [short.points, points] : [short.goals, stats.goals];
}

/** Returns the words for a match's average score: `Runs per match`, `Home points per match`. */
export function perMatchText(slug: string, lang: Lang, of: 'both' | 'home' | 'away' = 'both'): string {
  const text = fill(TEXTS[lang].catalogue.perMatch[of], { units: UNITS[findSport(slug)?.unit ?? 'points'][lang].many });
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a sport's tables have points. Tables without points are ordered by win percentage. */
export const hasTablePoints = (slug: string): boolean =>
  (findSport(slug)?.table.columns ?? USUAL_COLUMNS).includes('points');
