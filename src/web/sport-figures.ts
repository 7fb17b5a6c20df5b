/** Figures of players and teams on pages: which ones a sport has, and what it calls its scores. */
import type { Lang } from '../http/route.ts';
import { COLUMN_HEADS } from '../site/texts/table-columns.ts';
import { TEXTS } from '../site/texts/texts.ts';
import type { Sport } from '../sports/sport.ts';
import { findSport } from '../sports/sports.ts';

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

/** Returns the figures that the sport has; all of them for a sport that is not known. */
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
    return { scored: [short.goals, stats.goals!], conceded: [short.conceded, conceded] };
  return { scored: COLUMN_HEADS[lang].scores_for, conceded: COLUMN_HEADS[lang].scores_against };
}

/** Returns the word for what a player scores: goals, or points. */
export function scoredName(slug: string, lang: Lang): readonly [short: string, long: string] {
  const { short, stats, points } = TEXTS[lang].catalogue;
  return findSport(slug)?.score.countedBy === 'point' ? [short.points, points] : [short.goals, stats.goals!];
}
