/** Both sides' statistics as bars. */

import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { shareBar } from '../../site/plots/index.ts';
import { periodName, TEXTS } from '../../site/texts/index.ts';
import { grouped } from '../../wire/grouped.ts';
import { statisticName } from '../sport-figures.ts';
import type { MatchView } from './match-view.ts';

type Row = NonNullable<MatchView['blocks']['statistics']>[number];

/** Shows the figures of the whole match. If a source has only figures of periods, these are shown, one period after the other. */
export function statisticsPart(view: MatchView): Html {
  const { item, blocks, lang } = view;
  const rows = blocks.statistics ?? [];
  const ofMatch = rows.filter(({ period }) => period === 'ALL');
  if (rows.length === 0) return absent('statistics');
  const shown =
    ofMatch.length > 0
      ? figures(ofMatch, view)
      : [...grouped(rows, ({ period }) => period)].map(
          ([period, own]) => html`<h3>${periodName(period, item.sport, lang)}</h3>${figures(own, view)}`,
        );
  return html`<section id="statistics" class="panel"><h2>${TEXTS[lang].pages.statistics}</h2>${shown}</section>`;
}

function figures(rows: readonly Row[], { item, lang }: MatchView): Html {
  return html`<dl class="figures">
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
})}</dl>`;
}
