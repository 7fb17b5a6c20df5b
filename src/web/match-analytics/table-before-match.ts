/** Both sides' table rows, as they were before the match. */

import { heads, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { hasStarted, type MatchView } from '../match-page/match-view.ts';
import { teamLink } from '../paths.ts';
import { hasTablePoints } from '../sport-figures.ts';
import { sideOf } from '../status-text.ts';
import type { PageCard } from './load-card.ts';

export function standingPart(card: PageCard, view: MatchView): Html {
  const rows = (['home', 'away'] as const)
    .flatMap((side) => (card[side].standing ? [{ ...card[side].standing, side }] : []))
    .sort((a, b) => a.position - b.position);
  if (rows.length === 0) return absent('standing');
  const text = TEXTS[view.lang].analytics;
  const points = hasTablePoints(card.sport);
  const goals = findSport(card.sport)?.score.countedBy === 'goal' ? text.goals : text.scoredAndConceded;
  const link = (side: 'home' | 'away') => {
    const { participant_id, name } = sideOf(view.item, side);
    return teamLink(participant_id, name, view.root, view.names[side]);
  };
  return html`<section id="standing" class="panel"><h2>${hasStarted(view) ? text.standingBefore : text.standing}</h2>
<table class="standing"><thead><tr>${shortHead('#', text.position)}${heads([text.team])}
${shortHead(text.playedShort, text.played)}${heads([goals])}
${points && shortHead(text.pointsShort, text.points)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr data-side="${row.side}"><td>${row.position}</td><th scope="row">${link(row.side)}</th>
<td>${row.played}</td><td>${row.goals_for}:${row.goals_against}</td>${points && html`<td><b>${row.points}</b></td>`}</tr>`,
  )}</tbody></table></section>`;
}
