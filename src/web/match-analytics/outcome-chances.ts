/** The chances for a match's outcomes. After the match, the actual outcome is marked. */
import { type Html, html } from '../../site/html.ts';
import { shareBar } from '../../site/plots/index.ts';
import { percentText, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import type { MatchView } from '../match-page/match-view.ts';

export interface Result {
  home: number;
  away: number;
}

export const mark = (text: string): Html => html` <span class="mark"><span aria-hidden="true">✓</span> ${text}</span>`;

interface OutcomeChances {
  home_win: number;
  /** Null in a sport without draws. */
  draw: number | null;
  away_win: number;
}

const OUTCOME_KINDS = ['home', 'level', 'away'] as const;
/** How a match ends that was level after regulation. */
const AFTER_REGULATION: readonly string[] = ['after_extra_time', 'after_penalties'];

/** In a sport that plays on until somebody wins, the chance of a draw is that of a level score after regulation. */
export function outcomes(
  { home_win, draw, away_win }: OutcomeChances,
  { item, lang, names }: MatchView,
  result: Result | null,
): Html {
  const text = TEXTS[lang].analytics;
  const playsOn = findSport(item.sport)?.draws === false;
  const wasLevel = playsOn && draw !== null && AFTER_REGULATION.includes(item.status_detail);
  const came = result && (wasLevel ? 'level' : OUTCOME_KINDS[1 - Math.sign(result.home - result.away)]);
  const level = playsOn ? text.levelAfterRegulation : text.draw;
  const shown = [
    { kind: 'home', share: home_win, label: names.home },
    ...(draw === null ? [] : [{ kind: 'level', share: draw, label: level } as const]),
    { kind: 'away', share: away_win, label: names.away },
  ] as const;
  return html`<ul class="outcomes">${shown.map(
    ({ kind, share, label }) =>
      html`<li${kind === came && html` class="came"`}><b>${percentText(share)}</b>
<span class="name">${label}</span>${kind === came && mark(text.happened)}</li>`,
  )}</ul>
${shareBar(shown)}`;
}
