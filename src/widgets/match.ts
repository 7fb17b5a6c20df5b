/** One match as a widget: score, periods, goals and red cards. */
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/index.ts';
import { findStoredMatch } from '../matches/index.ts';
import { readMember } from '../runtime/unknown-values.ts';
import { type Html, html } from '../site/html.ts';
import { minuteText, TEXTS } from '../site/texts/index.ts';
import { findSport, sportWords } from '../sports/sports.ts';
import {
  linkedPlayerNames,
  nameOf,
  scoreText,
  shootOut,
  shootOutResult,
  sideOf,
  statusText,
  withPlayerNames,
} from '../web/index.ts';
import { cardCounts } from '../wire/card-counts.ts';
import type { Incident, MatchItem } from '../wire/match.ts';
import { roundOf } from './live.ts';
import { SIDES, when } from './match-rows.ts';
import { pageLink, type WidgetOptions, widgetPage } from './page.ts';
import { missing } from './problem-page.ts';
import { refreshSeconds } from './refresh-interval.ts';

interface MatchQuery extends WidgetOptions {
  event: number;
  /** Maximum number of incidents. */
  limit: number;
}

/** @param now ms since 1970 @throws {Problem} not_found */
export async function matchWidget(db: Queryable, query: MatchQuery, now: number): Promise<string> {
  const { event, limit, lang, theme, title } = query;
  const found = await findStoredMatch(db, event, ['incidents']);
  if (found === null) throw missing('match', `There is no match ${event}.`);
  const { item, blocks } = found;
  const { incidents = [] } = withPlayerNames(blocks, await linkedPlayerNames(db, blocks), lang);
  const cards = cardCounts(incidents, item.sport);
  const isNews = (one: Incident) => one.kind === 'goal' || cards.get(one) === 'red_cards';
  const news = incidents.filter(isNews).toReversed().slice(0, limit);
  const tournament = nameOf({ name: item.tournament, name_ru: found.tournament_name_ru }, lang);
  const names = SIDES.map((side) => nameOf(sideOf(item, side), lang)).join(' – ');
  return widgetPage({
    lang,
    theme,
    heading: {
      text: pageLink(`tournament/${item.tournament_id}`, tournament, query),
      title: names,
      note: roundOf(item, lang) ?? undefined,
      hidden: !title,
    },
    body: html`${scoreboard(item, query, now)}
${news.length > 0 ? html`<ol class="news" reversed>${news.map((one) => newsLine(one, item, lang))}</ol>` : emptyNote(item, lang)}`,
    refresh: refreshSeconds([item], now),
  });
}

function scoreboard(item: MatchItem, options: MatchQuery, now: number): Html {
  const { lang } = options;
  const status = statusText(item, lang);
  const side = (one: (typeof SIDES)[number]) => {
    const team = sideOf(item, one);
    return html`<p class="side-name">${pageLink(`team/${team.participant_id}`, nameOf(team, lang), options)}</p>`;
  };
  const score = (one: (typeof SIDES)[number]) =>
    html`<span class="score" data-side="${one}">${scoreText(item, one, lang) ?? '–'}</span>`;
  const numbers = html`${score('home')}:${score('away')}`;
  const periods = item.extra.period_scores.filter((one) => one !== shootOut(item));
  const details = [
    periods.length > 1 ? periods.map(({ home, away }) => `${home}:${away}`).join(', ') : null,
    shootOutResult(item, lang),
  ].filter(Boolean);
  return html`<div class="scoreboard" data-match="${item.id}" data-status="${item.status}">
${side('home')}
<p class="numbers">${pageLink(`match/${item.id}`, numbers, options)}</p>
${side('away')}
<p class="state">${status !== null && html`<b>${status}</b>`}
${item.status !== 'live' && when(item.scheduled_start, item.time_tbd, lang, now)}</p>
${details.length > 0 && html`<p class="note">${details.join(' · ')}</p>`}
</div>`;
}

function newsLine(incident: Incident, item: MatchItem, lang: Lang): Html {
  const { payload, player_name, side } = incident;
  const text = TEXTS[lang].pages;
  const [home, away] = [readMember(payload.score, 'home'), readMember(payload.score, 'away')];
  const score = Number.isInteger(home) && Number.isInteger(away) ? ` ${home}:${away}` : '';
  const { penalty } = sportWords(item.sport);
  const type = { penalty: penalty.note[lang], own_goal: text.ownGoal }[String(payload.goal_type)];
  const what = incident.kind === 'goal' ? `${text.goal}${score}` : TEXTS[lang].widgets.redCard;
  return html`<li data-kind="${incident.kind}" data-side="${side ?? 'none'}">
<span class="minute">${minuteText(incident)}</span> <b>${what}</b> ${player_name}${
    type && html` <span class="note">(${type})</span>`
  }${side && html`<span class="hidden">, ${nameOf(sideOf(item, side), lang)}</span>`}</li>`;
}

function emptyNote(item: MatchItem, lang: Lang): Html | null {
  const text = TEXTS[lang].widgets;
  if (item.status_detail === 'not_started') return html`<p class="note">${text.beforeStart}</p>`;
  const isGoalless =
    findSport(item.sport)?.score.countedBy === 'goal' && SIDES.every((side) => sideOf(item, side).score === 0);
  return item.status === 'live' && isGoalless ? html`<p class="note">${text.noGoals}</p>` : null;
}
