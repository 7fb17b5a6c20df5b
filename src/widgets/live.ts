/** Matches in progress as a widget, by tournament. */

import type { Queryable } from '../db/postgres.ts';
import { matchesInProgress } from '../matches/index.ts';
import { html } from '../site/html.ts';
import { fill, roundText, TEXTS } from '../site/texts/index.ts';
import { nameOf } from '../web/index.ts';
import type { MatchItem } from '../wire/match.ts';
import { matchList } from './match-rows.ts';
import { pageLink, type WidgetOptions, widgetPage } from './page.ts';
import { LIVE_REFRESH_SECONDS } from './refresh-interval.ts';
import { requireTournamentName } from './tournament-name.ts';

interface LiveQuery extends WidgetOptions {
  sport?: string | undefined;
  tournament?: number | undefined;
  /** Maximum number of matches. */
  limit: number;
}

/** @param now ms since 1970 @throws {Problem} not_found */
export async function liveWidget(db: Queryable, query: LiveQuery, now: number): Promise<string> {
  const { lang, theme, title, tournament, limit } = query;
  const only = tournament === undefined ? null : await requireTournamentName(db, tournament, lang);
  const { matches, total } = await matchesInProgress(db, query, limit);
  const text = TEXTS[lang].widgets;
  const tournaments = new Map<number, { name: string; own: MatchItem[] }>();
  for (const { item, tournament_name_ru } of matches) {
    const name = nameOf({ name: item.tournament, name_ru: tournament_name_ru }, lang);
    const known = tournaments.get(item.tournament_id) ?? { name, own: [] };
    tournaments.set(item.tournament_id, { ...known, own: [...known.own, item] });
  }
  const body = html`${[...tournaments].map(
    ([
      id,
      { name, own },
    ]) => html`<section>${only === null && html`<h2>${pageLink(`tournament/${id}`, name, query)}</h2>`}
${matchList(
  own.map((item) => ({ item, note: roundOf(item, lang) })),
  { ...query, now },
)}</section>`,
  )}
${total === 0 && html`<p class="note">${text.nothingLive}</p>`}
${total > matches.length && html`<p class="note">${fill(text.someShown, { shown: matches.length, total })}</p>`}`;
  return widgetPage({
    lang,
    theme,
    heading:
      only === null
        ? { text: text.live, hidden: !title }
        : { text: pageLink(`tournament/${tournament}`, only, query), title: only, note: text.live, hidden: !title },
    body,
    refresh: LIVE_REFRESH_SECONDS,
  });
}

/** Returns the match's round name, or null if the match has no round. */
export const roundOf = (item: MatchItem, lang: WidgetOptions['lang']): string | null => {
  const round = item.round_name ?? item.extra.round;
  return round && roundText(round, lang);
};
