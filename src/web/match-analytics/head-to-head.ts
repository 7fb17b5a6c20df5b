/** Earlier matches between the two sides: how many each side won, and the latest matches. */

import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { shareBar } from '../../site/plots/index.ts';
import { dateText, decimalText, MEETINGS, nounAfter, percentText, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import type { MatchView } from '../match-page/match-view.ts';
import { meetingsPath } from '../paths.ts';
import { perMatchText } from '../sport-figures.ts';
import { shootOutText, sideOf } from '../status-text.ts';
import type { PageCard } from './load-card.ts';

export function meetingsPart(card: PageCard, view: MatchView): Html {
  const { h2h } = card;
  if (h2h.matches === 0) return absent('meetings');
  const { lang, names, root } = view;
  const hasDraws = findSport(card.sport)?.draws !== false || h2h.draws > 0;
  const [home, away] = (['home', 'away'] as const).map((side) => sideOf(view.item, side).participant_id);
  const all = meetingsPath(home!, away!);
  const share = (count: number) => (count / h2h.matches) * 100;
  const count = (wins: number, noun: 'win' | 'draw', name?: string) =>
    html`<li><b>${wins}</b> <span class="name">${nounAfter(wins, noun, lang)}${name && html`<br>${name}`}</span></li>`;
  return html`<section id="meetings" class="panel"><h2>${TEXTS[lang].analytics.meetings}</h2>
<ul class="outcomes">${count(h2h.team_a_wins, 'win', names.home)}
${hasDraws && count(h2h.draws, 'draw')}
${count(h2h.team_b_wins, 'win', names.away)}</ul>
${shareBar([
  { share: share(h2h.team_a_wins), kind: 'home' },
  { share: share(h2h.draws), kind: 'level' },
  { share: share(h2h.team_b_wins), kind: 'away' },
])}
${averages(card, view)}
<ol class="meetings">${h2h.recent.map(({ date, score, home, shootout }, index) => {
    const [first, second] = home === 'team_a' ? [names.home, names.away] : [names.away, names.home];
    const id = h2h.explain?.event_ids[index];
    const title = html`${first} – ${second}`;
    const pair =
      id === undefined
        ? html`<span class="name">${title}</span>`
        : html`<a class="name" href="${root}match/${id}">${title}</a>`;
    return html`<li><time datetime="${date}" data-day>${dateText(date, lang)}</time> ${pair} <b>${score}</b>${
      shootout && html` <small>${shootOutText(card.sport, lang)}</small>`
    }</li>`;
  })}</ol>
<p class="steps"><a href="${root}${all}">${MEETINGS[lang].all}</a></p></section>`;
}

/** Averages per match. Shares of goals are shown only for sports that have them. */
function averages({ h2h, sport }: PageCard, { lang }: MatchView): Html {
  const text = TEXTS[lang].analytics;
  const hasShares = findSport(sport)?.page.goalShares;
  const rows = [
    [perMatchText(sport, lang), h2h.goals_avg === null ? null : decimalText(h2h.goals_avg, lang)],
    [text.over25, h2h.over_2_5 === null || !hasShares ? null : percentText(h2h.over_2_5)],
    [text.bothScored, h2h.btts === null || !hasShares ? null : percentText(h2h.btts)],
  ].filter(([, value]) => value !== null);
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
