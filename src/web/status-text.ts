/** A match's status as a short text, and other values derived from list items. */
import { DRAWINGS_VERSION } from '../catalogue/index.ts';
import type { Lang } from '../http/index.ts';
import { fill, LIVE, OUTCOMES, type OutcomeLetter, periodName, STATUS_WORDS } from '../site/texts/index.ts';
import { findSport, sportWords } from '../sports/sports.ts';
import type { MatchItem } from '../wire/match.ts';
import { cricketScore, splitScore } from './cricket-score.ts';

/** Returns `67′`, `Set 2`, `Half-time`, `Full time`; null for an upcoming match, whose start is shown instead. */
export function statusText(
  item: Pick<MatchItem, 'sport' | 'status_detail' | 'minute' | 'extra'>,
  lang: Lang,
): string | null {
  const { breaks, statuses } = sportWords(item.sport);
  switch (item.status_detail) {
    case 'not_started':
      return null;
    case 'in_play':
    case 'extra_time':
      return liveText(item, lang);
    case 'break':
      return (breaks.after?.[item.extra.period_scores.length] ?? breaks.usual)[lang];
    default: {
      const own: Partial<Record<string, (typeof STATUS_WORDS)[keyof typeof STATUS_WORDS]>> = statuses;
      return (own[item.status_detail] ?? STATUS_WORDS[item.status_detail])[lang];
    }
  }
}

/** Returns the minute, or the period in sports without a clock. */
function liveText({ sport, minute, extra }: Pick<MatchItem, 'sport' | 'minute' | 'extra'>, lang: Lang): string {
  if (minute !== null && findSport(sport)?.state !== 'period') return `${minute}′`;
  const period = extra.period_scores.at(-1)?.period;
  return period === undefined ? LIVE[lang] : periodName(period, sport, lang);
}

export const sideOf = (item: MatchItem, side: 'home' | 'away') => item.participants.find((one) => one.side === side)!;
export const nameOf = ({ name, name_ru }: { name: string; name_ru: string | null }, lang: Lang) =>
  lang === 'ru' ? (name_ru ?? name) : name;

/** Returns an outcome's letter, and its name for screen readers. Sports with a word of their own for draws call them ties. */
export function outcomeText(outcome: OutcomeLetter, sport: string, lang: Lang): { letter: string; name: string } {
  const isTie = outcome === 'D' && sportWords(sport).figures.draws !== undefined;
  return OUTCOMES[lang][isTie ? 'tie' : outcome];
}

/**
 * Returns a side's score, or who has won and lost in a sport whose score says nothing else. Returns null while a match has
 * neither.
 */
export function scoreText(item: MatchItem, side: 'home' | 'away', lang: Lang): string | null {
  const { score } = sideOf(item, side);
  if (findSport(item.sport)?.score.winnerOnly !== true)
    return score === null ? null : (cricketScore(item, side) ?? String(score));
  const other = sideOf(item, side === 'home' ? 'away' : 'home').score;
  if (item.status !== 'finished' || score === null || other === null) return null;
  return outcomeText(score > other ? 'W' : score < other ? 'L' : 'D', item.sport, lang).letter;
}

/** Returns what `scoreText` returns, without the overs of an innings, for which there is little room. */
export const shortScore = (item: MatchItem, side: 'home' | 'away', lang: Lang): string | null =>
  splitScore(item, side)?.runs ?? scoreText(item, side, lang);

/** Returns the URL of a side's picture, relative to the root. */
export const picturePath = ({ participant_id }: { participant_id: number }): string =>
  `sides/${participant_id}/image?v=${DRAWINGS_VERSION}`;

/** Codes of the periods that are shoot-outs. */
export const SHOOT_OUTS: ReadonlySet<string> = new Set(['PEN', 'SO']);
/** The short word next to the shoot-out score. */
export const shootOutText = (sport: string, lang: Lang): string => sportWords(sport).shootOut.short[lang];
export const shootOut = (item: MatchItem) => item.extra.period_scores.find(({ period }) => SHOOT_OUTS.has(period));
/** Returns `4:2 pens` after a shoot-out. If the kicks are unknown, returns the winner; null if that is unknown too. */
export function shootOutResult(item: MatchItem, lang: Lang): string | null {
  const kicks = shootOut(item);
  if (kicks !== undefined) return `${kicks.home}:${kicks.away} ${shootOutText(item.sport, lang)}`;
  const { shootout_winner: winner } = item.extra;
  return winner === undefined
    ? null
    : fill(sportWords(item.sport).shootOut.won[lang], { team: nameOf(sideOf(item, winner), lang) });
}
