/**
 * A tournament's trends as a widget. It shows the trends for the next matches. If these have none, it shows the season's strongest trends.
 */

import {
  computeCard,
  computeProfile,
  findMatchSubject,
  findTournamentSubject,
  leagueTrends,
  type TournamentSubject,
  tournamentVariant,
} from '../analytics/cards/index.ts';
import { DISCLAIMERS, type TrendEntry, trendEntry } from '../analytics/trends/index.ts';
import type { Lang } from '../http/index.ts';
import type { NextMatch } from '../matches/index.ts';
import { type Html, html } from '../site/html.ts';
import { fill, TEXTS } from '../site/texts/index.ts';
import { findSport } from '../sports/sports.ts';
import { nameOf, perMatchText } from '../web/index.ts';
import { utcDay } from '../wire/time.ts';
import type { WidgetDeps } from './deps.ts';
import { when } from './match-rows.ts';
import { pageLink, type WidgetOptions, widgetPage } from './page.ts';
import { WIDGET_SECONDS } from './refresh-interval.ts';

/** Maximum number of trends for a side in a match. */
const TRENDS_OF_SIDE = 3;
/** For each match that `limit` allows, this many season trends are shown. Two trend lines are as high as a match. */
const TRENDS_PER_MATCH = 2;

export interface TrendsQuery extends WidgetOptions {
  tournament: number;
  /** The season to show. The default is the current season. */
  season?: number | undefined;
  /** Maximum number of matches. */
  limit: number;
}

/**
 * @param subject must be read together with the tournament's `trends` card
 * @param now ms since 1970
 * @returns the page, and whether a part of it was computed from an older history
 * @throws {ClickHouseUnavailable}
 */
export async function trendsWidget(
  deps: WidgetDeps,
  subject: TournamentSubject,
  next: readonly NextMatch[],
  query: TrendsQuery,
  now: number,
): Promise<{ body: string; isStale: boolean }> {
  const { lang, theme, title, limit } = query;
  const text = TEXTS[lang].widgets;
  const { season, trends, version } = await leagueTrends(deps, subject, {
    lang,
    now,
    most: limit * TRENDS_PER_MATCH,
    season: query.season,
  });
  const matches = await matchesWithTrends(deps, next, query, now);
  const ahead = matches.flatMap(({ part }) => part ?? []);
  const shown = ahead.length > 0 || trends.length > 0;
  const name = nameOf(subject, lang);
  const body = html`${season && (await profile(deps, subject, season, lang, now))}
${ahead.length > 0 && html`<section><h2>${text.upcoming}</h2>${ahead}</section>`}
${ahead.length === 0 && trends.length > 0 && strongest(trends, lang)}
<p class="note">${shown ? DISCLAIMERS[lang] : text.noTrends}</p>`;
  const note = [query.season === undefined ? null : season?.label, text.trends].filter(Boolean).join(' · ');
  const link = pageLink(`tournament/${subject.tournament_id}`, name, query);
  const page = widgetPage({
    lang,
    theme,
    heading: { text: link, title: name, note, hidden: !title },
    body,
    refresh: WIDGET_SECONDS,
  });
  return { body: page, isStale: version !== subject.version || matches.some(({ isStale }) => isStale) };
}

async function matchesWithTrends(
  deps: WidgetDeps,
  next: readonly NextMatch[],
  options: WidgetOptions,
  now: number,
): Promise<{ part: Html | null; isStale: boolean }[]> {
  const { lang } = options;
  return Promise.all(
    next.map(async (match) => {
      const subject = await findMatchSubject(deps.pool, match.id);
      if (subject === null) return { part: null, isStale: false };
      const { facts, version } = await deps.cards.read(
        { kind: 'match', id: match.id, variant: 'season' },
        subject,
        () => computeCard(deps, subject, 'season'),
      );
      const trends = facts.trends.map((trend) => trendEntry(trend, trend.side, lang));
      const part = trends.length > 0 ? matchPart(match, trends, options, now) : null;
      return { part, isStale: version !== subject.version };
    }),
  );
}

function matchPart(match: NextMatch, trends: readonly TrendEntry[], options: WidgetOptions, now: number): Html {
  const { lang } = options;
  const names = {
    home: nameOf({ name: match.home, name_ru: match.home_ru }, lang),
    away: nameOf({ name: match.away, name_ru: match.away_ru }, lang),
  };
  const ofSide = (side: 'home' | 'away') =>
    trends
      .filter((trend) => trend.side === side)
      .slice(0, TRENDS_OF_SIDE)
      .map((trend) => entry(names[side], trend));
  const title = pageLink(`match/${match.id}`, `${names.home} – ${names.away}`, options);
  return html`<article><h3>${title} ${when(match.scheduled_start, match.time_tbd, lang, now)}</h3>
<ul>${ofSide('home')}${ofSide('away')}</ul></article>`;
}

const entry = (name: string, { label, detail }: { label: string; detail: string }): Html =>
  html`<li><span class="side">${name}</span> <b>${label}</b> <span class="note">${detail}</span></li>`;

function strongest(
  trends: readonly { name: string; name_ru: string | null; label: string; detail: string }[],
  lang: Lang,
): Html {
  const list = trends.map((trend) => entry(nameOf(trend, lang), trend));
  return html`<section><h2>${TEXTS[lang].widgets.strongest}</h2><ul>${list}</ul></section>`;
}

async function profile(
  deps: WidgetDeps,
  subject: TournamentSubject,
  season: { id: number; label: string },
  lang: Lang,
  now: number,
): Promise<Html | null> {
  const { tournament_id: id } = subject;
  const found = await findTournamentSubject(deps.pool, id, {
    day: utcDay(now),
    kind: 'league',
    season: season.id,
  });
  if (found === null) return null;
  const { facts: figures } = await deps.cards.read(
    { kind: 'league', id, variant: tournamentVariant(season.id) },
    found,
    () => computeProfile(deps, found, season.id, now),
  );
  if (figures.matches === 0) return null;
  const text = TEXTS[lang].widgets;
  const hasShares = findSport(subject.sport)?.page.goalShares;
  const digits = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
  const shares: Share[] = [
    [text.homeWins, figures.home_win_pct],
    [text.drawn, figures.draw_pct],
    [text.awayWins, figures.away_win_pct],
    ...(hasShares
      ? [[text.over25, figures.over_2_5_pct] satisfies Share, [text.btts, figures.btts_pct] satisfies Share]
      : []),
  ];
  const figure = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl>
${figures.avg_goals !== null && figure(lowerFirst(perMatchText(subject.sport, lang)), digits.format(figures.avg_goals))}
${shares.map(([name, share]) => share !== null && share > 0 && figure(name, `${percent.format(share)}\u00a0%`))}
</dl>
<p class="note">${matchCount(figures.matches, lang)}, ${fill(text.season, { season: season.label })}</p>`;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

type Share = [name: string, percent: number | null];

const PLURALS = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') };

function matchCount(count: number, lang: Lang): string {
  const forms = TEXTS[lang].widgets.profile;
  const form = forms[PLURALS[lang].select(count)] ?? forms.other;
  return fill(form, { matches: count.toLocaleString(lang) });
}
