/** A match's box score with each player's figures, for sports that have one. */

import { nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { BOX_SCORE } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { playerLink } from '../paths.ts';
import type { MatchView } from './match-view.ts';

type Entry = NonNullable<MatchView['blocks']['player_stats']>[number];

/**
 * Has a column for each of the sport's figures for which at least one player has a value. Players are sorted by the first column, highest
 * first.
 */
export function boxScorePart({ item, blocks, names, lang, root }: MatchView): Html {
  const all = findSport(item.sport)?.boxScore ?? [];
  const players = blocks.player_stats ?? [];
  const figures = all.filter((figure) => players.some(({ stats }) => toText(stats[figure]) !== ''));
  if (figures.length === 0) return absent('box-score');
  const { title, player, heads } = BOX_SCORE[lang];
  const first = figures.find((figure) => players.some(({ stats }) => typeof stats[figure] === 'number'));
  const rank = ({ stats }: Entry) => (first === undefined ? 0 : Number(stats[first] ?? 0));
  const row = ({ participant_id, player_name, stats }: Entry) =>
    html`<tr><th scope="row">${playerLink(participant_id, player_name, root, nameText(player_name, lang))}</th>
${figures.map((figure) => html`<td>${toText(stats[figure]) || '–'}</td>`)}</tr>`;
  const head = figures.map((figure) => {
    const [short, long] = heads[figure] ?? [figure, figure];
    return shortHead(short, long);
  });
  const table = (side: 'home' | 'away') => html`<div class="sheet"><h3>${names[side]}</h3>
${scrollTable({
  label: `${title}: ${names[side]}`,
  kind: 'box',
  head: [html`<th scope="col">${player}</th>`, ...head],
  rows: players
    .filter((entry) => entry.side === side)
    .sort((a, b) => rank(b) - rank(a))
    .map(row),
})}</div>`;
  return html`<section id="box-score" class="panel"><h2>${title}</h2><div class="sheets">${table('home')}${table('away')}</div></section>`;
}

/** Formats a figure, which is a number, or a text such as minutes and seconds. */
const toText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';
