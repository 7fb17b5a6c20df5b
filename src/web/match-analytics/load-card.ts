/**
 * Loads analytics for a page, including the matches in the form strip. The result is null if it is not available in
 * time.
 */
import { hash } from 'node:crypto';
import {
  computeCard,
  findMatchSubject,
  type MatchSubject,
  type RecentMatch,
  recentMatches,
  renderCard,
} from '../../analytics/cards/index.ts';
import type { AnalyticsDeps } from '../../analytics/deps.ts';
import { historyLoading, type MissingReason, whyMissing } from '../../analytics/history-loading.ts';
import { computedRates } from '../../analytics/live/probabilities-reply.ts';
import type { AnalyticsCard } from '../../analytics/schema.ts';
import type { Queryable } from '../../db/postgres.ts';
import type { Lang } from '../../http/index.ts';
import { type BySide, IN_PLAY_SPORTS } from '../../in-play/index.ts';
import { within } from '../../runtime/time-limit.ts';

/** How long a page waits for analytics. */
const PATIENCE_MS = 1_000;
/** Number of matches in a form strip. `form` has the same number of letters. */
const RECENT = 10;

/** A match in a form strip. */
export interface StripMatch {
  id: number;
  /** YYYY-MM-DD */
  date: string;
  opponent: string;
  opponent_ru: string | null;
  /** Home and away goals in that match, such as `2:1`. */
  score: string;
  shootout: boolean;
}

type PageTeam = AnalyticsCard['home'] & {
  /** Matches for the letters in `form.overall.form`, in the same order. Some may be missing, or all. */
  recent?: readonly StripMatch[];
};
export type PageCard = Omit<AnalyticsCard, 'home' | 'away'> & {
  home: PageTeam;
  away: PageTeam;
  neutral: boolean;
  /**
   * Expected goals from the tournament's earlier matches, if there is no model. That is often so in cups, where the home side has not been
   * the home side before.
   */
  expected?: BySide;
};

/** A match's analytics, or why they are missing. Null for an unknown match. */
export type ReadCard = PageCard | MissingReason | null;

/** Whether the page shows chances from a model or from ratings. */
export const hasForecast = (card: ReadCard): boolean =>
  card !== null && typeof card !== 'string' && (card.model !== null || card.rating !== null);

export const findPageCard = (deps: AnalyticsDeps, id: number, lang: Lang): Promise<ReadCard> =>
  within(PATIENCE_MS, readPageCard(deps, id, lang).catch(whyMissing), 'late');

async function readPageCard(deps: AnalyticsDeps, id: number, lang: Lang): Promise<PageCard | null> {
  const { body } = await deps.caches.pages.parts.get(`page analytics ${id} ${lang}`, id, async (cached) => {
    const subject = await findMatchSubject(deps.reads, id);
    if (subject === null) return { body: 'null', version: 'unknown', etag: 'unknown' };
    if (!subject.is_loaded) throw historyLoading();
    const versionWith = (version: string) => `${version} ${subject.match_version}`;
    if (cached?.version === versionWith(subject.version)) return cached;
    const { facts, version, computed_at } = await deps.cards.read(
      { kind: 'match', id, variant: 'season' },
      subject,
      () => computeCard(deps, subject, 'season'),
    );
    const card = renderCard(subject, facts, { explain: true, lang, computed_at });
    const expected =
      card.model === null && IN_PLAY_SPORTS.includes(subject.sport) ? await expectedGoals(deps, subject) : {};
    const json = JSON.stringify({ ...(await withRecent(deps.reads, card, subject)), ...expected });
    return {
      body: json,
      version: versionWith(version),
      isStale: version !== subject.version,
      etag: hash('sha1', json, 'base64url'),
    };
  });
  return JSON.parse(String(body)) as PageCard | null;
}

async function expectedGoals(
  { clickhouse, clock }: AnalyticsDeps,
  subject: MatchSubject,
): Promise<Pick<PageCard, 'expected'>> {
  const rates = await computedRates(clickhouse, subject, clock.now()).catch(() => null);
  return rates?.basis === 'model' ? { expected: rates.expected } : {};
}

async function withRecent(db: Queryable, card: AnalyticsCard, subject: MatchSubject): Promise<PageCard> {
  const idsOf = ({ form }: AnalyticsCard['home']) => form.overall.explain!.event_ids.slice(0, RECENT);
  const matches = await recentMatches(db, [...idsOf(card.home), ...idsOf(card.away)]);
  const found = new Map(matches.map((match) => [match.id, match]));
  const recentItems = (side: 'home' | 'away') =>
    idsOf(card[side]).flatMap((id) => {
      const match = found.get(id);
      return match === undefined ? [] : [stripMatch(match, subject[side].id)];
    });
  return {
    ...card,
    neutral: subject.neutral,
    home: { ...card.home, recent: recentItems('home') },
    away: { ...card.away, recent: recentItems('away') },
  };
}

function stripMatch({ id, date, score, shootout, home, away }: RecentMatch, sideId: number): StripMatch {
  const { name, name_ru } = home.id === sideId ? away : home;
  return { id, date, score, shootout, opponent: name, opponent_ru: name_ru };
}
