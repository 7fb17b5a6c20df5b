/** Charts of the innings of a match of cricket: the score after each over, and the runs in each over. */
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { type ChartInnings, overBars, wormChart } from '../../site/plots/index.ts';
import { CRICKET } from '../../site/texts/index.ts';
import type { MatchView } from './match-view.ts';

/** Bars of more overs than this would be too narrow. */
const MOST_BARS = 60;

export function inningsChartsPart({ blocks, names, lang }: MatchView): Html {
  const innings = (blocks.innings ?? []).filter(({ period, by_over }) => period.startsWith('I') && by_over.length > 0);
  if (innings.length === 0) return absent('run-charts');
  const text = CRICKET[lang];
  const shown = innings.map(
    ({ batting, by_over }, index): ChartInnings => ({
      side: batting,
      again: innings.slice(0, index).some((one) => one.batting === batting),
      overs: by_over,
    }),
  );
  const hasBars = Math.max(...shown.map(({ overs }) => overs.length)) <= MOST_BARS;
  return html`<section id="run-charts" class="panel"><h2>${text.worm}</h2>
<p class="note"><span class="key home">${names.home}</span><span class="key away">${names.away}</span></p>
<figure>${wormChart(shown)}<figcaption>${text.wormText}</figcaption></figure>
${hasBars && html`<h3>${text.manhattan}</h3>${overBars(shown)}`}</section>`;
}
