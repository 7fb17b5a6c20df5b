/** The present chances of a match's outcomes, as a list and as a bar. */
import { type Html, html } from '../../site/html.ts';
import { shareBar } from '../../site/plots/index.ts';
import { TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import type { MatchView } from './match-view.ts';

/** In cricket, a super over decides a tie, so that there is no draw to forecast. */
export function currentChances(
  { item, lang, names }: MatchView,
  chances: NonNullable<MatchView['blocks']['win_probability']>,
): Html {
  const text = TEXTS[lang].pages;
  const draw = chances.draw ?? 0;
  const home = Math.round(chances.homeWin);
  const level = Math.round(draw);
  return html`<ul class="chances"><li><b>${home} %</b> ${names.home}</li>
${chances.draw !== null && !(findSport(item.sport)?.wickets && draw === 0) && html`<li><b>${level} %</b> ${text.draw}</li>`}
<li><b>${100 - home - level} %</b> ${names.away}</li></ul>
${shareBar([
  { share: chances.homeWin, kind: 'home' },
  { share: draw, kind: 'level' },
  { share: chances.awayWin, kind: 'away' },
])}`;
}
