/** A match's line score, with a column for each period, for sports without halves. */
import { readMember } from '../../runtime/unknown-values.ts';
import { heads, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { periodHead } from '../../site/texts/index.ts';
import { findSport, sportWords } from '../../sports/sports.ts';
import { inningsScore } from '../cricket-score.ts';
import { statisticName } from '../sport-figures.ts';
import { SHOOT_OUTS, sideOf } from '../status-text.ts';
import type { MatchView } from './match-view.ts';
import { scorePartsText } from './score-parts.ts';
import { wicketsIn } from './wickets.ts';

type Side = 'home' | 'away';
const SIDES = ['home', 'away'] as const;
const HALVES = /^\dH$/u;
/**
 * Shows the score alone, with figures such as hits and errors, if the periods are unknown.
 * @returns '' for a match with halves, and before its second period
 */
export function lineScore({ item, blocks, names, lang }: MatchView): Html | '' {
  const periods = item.extra.period_scores.filter(({ period }) => !SHOOT_OUTS.has(period));
  const figures = (findSport(item.sport)?.lineScore ?? []).flatMap((name) => {
    const found = blocks.statistics?.find(({ period, stat_name }) => period === 'ALL' && stat_name === name);
    return found === undefined ? [] : [found];
  });
  const parts = (side: Side, within: readonly string[], score: number | null) =>
    scorePartsText(item.sport, blocks.statistics, { side, periods: within, score });
  const whole = (side: Side) => parts(side, ['ALL'], sideOf(item, side).score);
  const isKnown = periods.length === 0 ? figures.length > 0 || whole('home') !== null : periods.length > 1;
  if (!isKnown || HALVES.test(periods[0]?.period ?? '')) return '';
  const label = (name: string) => statisticName(name, item.sport, lang);
  const { byPeriod, total } = sportWords(item.sport);
  const atBreak = (side: Side, index: number) => {
    const played = periods.slice(0, index + 1);
    const score = played.reduce((sum, period) => sum + period[side], 0);
    return parts(
      side,
      played.map(({ period }) => period),
      score,
    );
  };
  const row = (side: Side) => {
    const scores = periods.map((period, index) => {
      const text = atBreak(side, index) ?? periodScore(period, side, item.sport, blocks.incidents);
      return html`<td>${text}${tieBreak(period.period, side, blocks.incidents ?? [])}</td>`;
    });
    return html`<tr><th scope="row">${names[side]}</th>
${scores}
${total && html`<td class="total">${whole(side) ?? sideOf(item, side).score}</td>`}
${figures.map((one) => html`<td class="total">${one[`${side}_text`]}</td>`)}</tr>`;
  };
  const title = byPeriod[lang];
  const head = html`<th><span class="hidden">${title}</span></th>
${heads(periods.map(({ period }) => periodHead(period, item.sport, lang)))}
${total && shortHead(total.short[lang], total.long[lang])}
${figures.map(({ stat_name }) => shortHead(label(stat_name).slice(0, 1), label(stat_name)))}`;
  return scrollTable({ label: title, kind: 'line-score', head, rows: SIDES.map(row) });
}

/** Returns a side's score in a period: in cricket with the wickets that fell, and a dash for the side that did not bat. */
function periodScore(
  period: MatchView['item']['extra']['period_scores'][number],
  side: Side,
  sport: string,
  incidents: MatchView['blocks']['incidents'],
): string {
  const score = period[side];
  if (findSport(sport)?.wickets === undefined) return String(score);
  if (period.innings !== undefined) return period.innings.batting === side ? inningsScore(period, side) : '–';
  const other = period[side === 'home' ? 'away' : 'home'];
  if (score === 0 && other > 0) return '–';
  const fallen = wicketsIn(period.period, side, sport, incidents);
  return fallen === null ? String(score) : `${score}/${fallen}`;
}

/** Returns the points that the losing side scored in a set's tie-break. */
function tieBreak(period: string, side: Side, incidents: NonNullable<MatchView['blocks']['incidents']>): Html | '' {
  const payload = incidents.find((one) => one.kind === 'set_end' && one.period === period)?.payload;
  const own = readMember(payload?.tie_break, side);
  const other = readMember(payload?.tie_break, side === 'home' ? 'away' : 'home');
  return typeof own === 'number' && typeof other === 'number' && own < other ? html`<sup>${own}</sup>` : '';
}
