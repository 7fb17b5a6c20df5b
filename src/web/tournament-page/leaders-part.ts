/** A season's leading players by one figure, with a tab for each figure of the sport. */
import type { Lang } from '../../http/index.ts';
import { heads, nameText, scrollTable } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { CRICKET, fill, TEXTS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { firstStat, type Leader, leastBalls, STATS, type Stat } from '../../statistics/index.ts';
import { playerLink, teamLink } from '../paths.ts';
import { figureNames } from '../sport-figures.ts';
import { nameOf } from '../status-text.ts';
import { rateText } from '../tables/cricket-statistics.ts';
import { link, type View } from './page-address.ts';
import { nonePart, tab } from './page-parts.ts';

/** The figures by which the sport ranks players; none in sports in which players do not score. */
export const leaderFigures = (sport: string): readonly Stat[] => findSport(sport)?.leaders ?? STATS;

export function leadersPart(list: readonly Leader[], view: View): Html {
  const { lang, root, sport, query } = view;
  const text = TEXTS[lang].catalogue;
  const first = firstStat(sport);
  const shown = query.stat ?? first;
  const name = (stat: Stat) => figureNames(stat, sport, lang)[1];
  const tabs = leaderFigures(sport).map((stat) =>
    tab(link(view, { stat: stat === first ? undefined : stat }, 'leaders'), name(stat), stat === shown),
  );
  if (list.length === 0 && (query.tab !== 'leaders' || tabs.length === 0))
    return query.tab === 'leaders' ? nonePart('leaders', text.leaders, text.noLeaders) : html``;
  return html`<section id="leaders" class="panel"><h2>${text.leaders}</h2>
<p class="tabs">${tabs}</p>
${
  list.length === 0
    ? html`<p class="note">${text.noLeaders}</p>`
    : scrollTable({
        label: text.leaders,
        kind: 'list',
        head: heads(['#', text.player, text.team, name(shown)]),
        rows: list.map((one) => {
          const player = nameOf({ name: one.player_name, name_ru: one.player_name_ru }, lang);
          const team = nameOf({ name: one.team_name, name_ru: one.team_name_ru }, lang);
          return html`<tr><td>${one.rank}</td>
<th scope="row">${playerLink(one.participant_id, one.player_name, root, nameText(player, lang))}</th>
<td>${teamLink(one.team_id, one.team_name, root, nameText(team, lang))}</td>
<td><b>${valueText(one, shown, lang)}</b></td></tr>`;
        }),
      })
}${limitNote(shown, lang)}</section>`;
}

const valueText = ({ value, value_text }: Leader, stat: Stat, lang: Lang): string =>
  value_text ?? (leastBalls(stat) === null ? value.toLocaleString(lang) : rateText(value, lang));

/** Says how many balls a player needs for a place in a list by a rate. */
function limitNote(stat: Stat, lang: Lang): Html | '' {
  const least = leastBalls(stat);
  return least === null
    ? ''
    : html`<p class="note">${fill(CRICKET[lang].leastBalls[least.of], { balls: least.balls })}</p>`;
}
