/** Both sides' statistics as bars. */

import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { shareBar } from '../../site/plots/index.ts';
import { TEXTS } from '../../site/texts/index.ts';
import { statisticName } from '../sport-figures.ts';
import type { MatchView } from './match-view.ts';

export function statisticsPart({ item, blocks, lang }: MatchView): Html {
  const rows = (blocks.statistics ?? []).filter((row) => row.period === 'ALL');
  if (rows.length === 0) return absent('statistics');
  return html`<section id="statistics" class="panel"><h2>${TEXTS[lang].pages.statistics}</h2><dl class="figures">
${rows.map((row) => {
  const home = row.home_value ?? 0;
  const away = row.away_value ?? 0;
  const share = (home / (home + away || 1)) * 100;
  const name = statisticName(row.stat_name, item.sport, lang);
  return html`<div><dt>${name}</dt><dd class="home">${row.home_text ?? home}</dd><dd class="away">${row.away_text ?? away}</dd>
${shareBar([
  { share, kind: 'home' },
  { share: home + away > 0 ? 100 - share : 100, kind: home + away > 0 ? 'away' : 'none' },
])}</div>`;
})}</dl></section>`;
}
