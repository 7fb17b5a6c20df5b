/** Trends of a tournament as a widget: of its next matches, or the strongest of the season. */
import { computeCard } from '../analytics/card.ts';
import { leagueTrends } from '../analytics/league-trends.ts';
import { computeProfile } from '../analytics/profile.ts';
import type { AnalyticsCard } from '../analytics/schema.ts';
import { findMatchSubject, type TournamentSubject } from '../analytics/subjects.ts';
import { DISCLAIMERS } from '../analytics/texts.ts';
import type { Lang } from '../http/route.ts';
import { type Html, html } from '../site/html.ts';
import { TEXTS } from '../site/texts/texts.ts';
import { findSport } from '../sports/sports.ts';
import type { WidgetDeps } from './deps.ts';
import { type Widget, widgetPage } from './page.ts';
import type { NextMatch } from './queries.ts';

/** Limits: matches, trends of a side in each, trends of a season. */
export const MATCHES_SHOWN = 5;
const TRENDS_OF_SIDE = 3;
const TRENDS_OF_SEASON = 10;

export interface TrendsQuery {
  tournament: number;
  theme: Widget['theme'];
  title: boolean;
  lang: Lang;
}

/** @param now ms since 1970 @throws {ClickHouseUnavailable} */
export async function trendsWidget(
  deps: WidgetDeps,
  subject: TournamentSubject,
  next: readonly NextMatch[],
  { lang, theme, title }: TrendsQuery,
  now: number,
): Promise<string> {
  const text = TEXTS[lang].widgets;
  const { season, trends } = await leagueTrends(deps, subject, { lang, now, most: TRENDS_OF_SEASON });
  const ahead = await matchesWithTrends(deps, next, lang);
  const shown = ahead.length > 0 || trends.length > 0;
  const name = lang === 'ru' ? (subject.name_ru ?? subject.name) : subject.name;
  const body = html`${season && (await profile(deps, subject, season, lang, now))}
${ahead.length > 0 && html`<section><h2>${text.upcoming}</h2>${ahead}</section>`}
${ahead.length === 0 && trends.length > 0 && strongest(trends, lang)}
<p class="note">${shown ? DISCLAIMERS[lang] : text.noTrends}</p>`;
  return widgetPage({ lang, theme, heading: { text: name, note: text.trends, hidden: !title }, body });
}

async function matchesWithTrends(deps: WidgetDeps, next: readonly NextMatch[], lang: Lang): Promise<Html[]> {
  const parts = await Promise.all(
    next.map(async (match) => {
      const subject = await findMatchSubject(deps.pool, match.id);
      const card = subject && (await computeCard(deps, subject, { sample: 'season', explain: false, lang }));
      return card && card.trends.length > 0 ? [matchPart(match, card.trends, lang)] : [];
    }),
  );
  return parts.flat();
}

function matchPart(match: NextMatch, trends: AnalyticsCard['trends'], lang: Lang): Html {
  const names = {
    home: lang === 'ru' ? (match.home_ru ?? match.home) : match.home,
    away: lang === 'ru' ? (match.away_ru ?? match.away) : match.away,
  };
  const ofSide = (side: 'home' | 'away') =>
    trends
      .filter((trend) => trend.side === side)
      .slice(0, TRENDS_OF_SIDE)
      .map((trend) => entry(names[side], trend));
  return html`<article><h3>${names.home} – ${names.away} ${when(match, lang)}</h3><ul>${ofSide('home')}${ofSide('away')}</ul></article>`;
}

const entry = (name: string, { label, detail }: { label: string; detail: string }): Html =>
  html`<li><span class="side">${name}</span> <b>${label}</b> <span class="note">${detail}</span></li>`;

/** Formats the time with "UTC": without a script the server does not know the reader's time zone. */
function when({ scheduled_start, time_tbd }: NextMatch, lang: Lang): Html {
  const iso = scheduled_start.toISOString();
  const day = scheduled_start.toLocaleDateString(lang, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const time = time_tbd ? TEXTS[lang].widgets.dayOnly : `${iso.slice(11, 16)} UTC`;
  return html`<time class="note" datetime="${time_tbd ? iso.slice(0, 10) : iso}">${day}, ${time}</time>`;
}

function strongest(
  trends: readonly { name: string; name_ru: string | null; label: string; detail: string }[],
  lang: Lang,
): Html {
  const list = trends.map((trend) => entry(lang === 'ru' ? (trend.name_ru ?? trend.name) : trend.name, trend));
  return html`<section><h2>${TEXTS[lang].widgets.strongest}</h2><ul>${list}</ul></section>`;
}

async function profile(
  deps: WidgetDeps,
  subject: TournamentSubject,
  season: { id: number; label: string },
  lang: Lang,
  now: number,
): Promise<Html | null> {
  const figures = await computeProfile(deps, subject, season.id, now);
  if (figures.matches === 0) return null;
  const text = TEXTS[lang].widgets;
  const goals = findSport(subject.sport)?.score.countedBy === 'goal';
  const digits = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
  const shares: [string, number | null][] = [
    [text.homeWins, figures.home_win_pct],
    [text.drawn, figures.draw_pct],
    [text.awayWins, figures.away_win_pct],
    ...(goals
      ? ([
          [text.over25, figures.over_2_5_pct],
          [text.btts, figures.btts_pct],
        ] as [string, number | null][])
      : []),
  ];
  const figure = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl>
${figures.avg_goals !== null && figure(goals ? text.goals : text.scored, digits.format(figures.avg_goals))}
${shares.map(([name, share]) => share !== null && share > 0 && figure(name, `${percent.format(share)}\u00a0%`))}
</dl>
<p class="note">${matchCount(figures.matches, lang)}, ${text.season.replace('{season}', season.label)}</p>`;
}

const PLURALS = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') };

function matchCount(count: number, lang: Lang): string {
  const [one, few, many] = TEXTS[lang].widgets.profile;
  const form = { one, few, many }[PLURALS[lang].select(count) as 'one'] ?? many!;
  return form.replace('{matches}', count.toLocaleString(lang));
}
