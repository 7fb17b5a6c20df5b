/** A match's line score, with a column for each period, for sports without halves. */

import { readMember } from '../../runtime/unknown-values.ts';
import { heads, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { LINE_SCORE, STATISTICS_RU } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { SHOOT_OUTS, sideOf } from '../status-text.ts';
import type { MatchView } from './match-view.ts';

type Side = 'home' | 'away';
const SIDES = ['home', 'away'] as const;
const HALVES = /^\dH$/u;
/** Quarters, innings, sets and similar periods have numbers. Overtimes have other codes. */
const NUMBERED = /^[A-Z](\d+)$/u;

/** @returns '' for a match with halves, and before its second period */
export function lineScore({ item, blocks, names, lang }: MatchView): Html | '' {
  const periods = item.extra.period_scores.filter(({ period }) => !SHOOT_OUTS.has(period));
  if (periods.length < 2 || HALVES.test(periods[0]?.period ?? '')) return '';
  const figures = (findSport(item.sport)?.lineScore ?? []).flatMap((name) => {
    const found = blocks.statistics?.find(({ period, stat_name }) => period === 'ALL' && stat_name === name);
    return found === undefined ? [] : [found];
  });
  const label = (name: string) => (lang === 'ru' ? (STATISTICS_RU[name] ?? name) : name);
  const { title, total } = LINE_SCORE[lang];
  const row = (side: Side) => {
    const scores = periods.map(
      (period) => html`<td>${period[side]}${tieBreak(period.period, side, blocks.incidents ?? [])}</td>`,
    );
    return html`<tr><th scope="row">${names[side]}</th>
${scores}
<td class="total">${sideOf(item, side).score}</td>
${figures.map((one) => html`<td class="total">${one[`${side}_text`]}</td>`)}</tr>`;
  };
  const head = html`<th><span class="hidden">${title}</span></th>
${heads([...periods.map(({ period }) => NUMBERED.exec(period)?.[1] ?? period), total])}
${figures.map(({ stat_name }) => shortHead(label(stat_name).slice(0, 1), label(stat_name)))}`;
  return scrollTable({ label: title, kind: 'line-score', head, rows: SIDES.map(row) });
}

/** Returns the points that the losing side scored in a set's tie-break. */
function tieBreak(period: string, side: Side, incidents: NonNullable<MatchView['blocks']['incidents']>): Html | '' {
  const payload = incidents.find((one) => one.kind === 'set_end' && one.period === period)?.payload;
  const own = readMember(payload?.tie_break, side);
  const other = readMember(payload?.tie_break, side === 'home' ? 'away' : 'home');
  return typeof own === 'number' && typeof other === 'number' && own < other ? html`<sup>${own}</sup>` : '';
}
