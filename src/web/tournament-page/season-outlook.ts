/** A season's outlook on the tournament page. The page only shows a stored outlook and never computes one. */
import type { OutlookDay, SideOutlook, StoredOutlook } from '../../analytics/outlook/index.ts';
import type { Lang } from '../../http/index.ts';
import { heads, nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { raceChart } from '../../site/plots/index.ts';
import { dateText, fill, OUTLOOK, percentText, roundText, TEXTS } from '../../site/texts/index.ts';
import { teamLink } from '../paths.ts';
import { nameOf } from '../status-text.ts';

/** Maximum number of lines in the plot. */
const RIVALS = 4;
/** A side gets no line if its title probability was never this high. */
const LEAST_SHARE = 0.02;

interface Options {
  lang: Lang;
  root: string;
}

/** Returns nothing if no outlook for the season is stored. @param history the stored days, oldest first */
export function outlookPart(newest: StoredOutlook | null, history: readonly OutlookDay[], options: Options): Html {
  const text = OUTLOOK[options.lang];
  const isStored = newest !== null && newest.outlook.sides.length > 0;
  const race = isStored && racePart(history, newest, options);
  const table = isStored && newest.outlook.simulations > 0 && tables(newest, options);
  const none = !race && !table && html`<p class="note">${text.none}</p>`;
  return html`<section id="outlook" class="panel"><h2>${text.title}</h2>${table}${race}${none}</section>`;
}

function tables({ outlook, computed_at }: StoredOutlook, options: Options): Html {
  const { lang } = options;
  const text = OUTLOOK[lang];
  const groups = [...new Set(outlook.sides.map(({ group }) => group))];
  const values = {
    count: outlook.simulations.toLocaleString(lang),
    remaining: outlook.fixtures.remaining,
    date: dateText(computed_at.slice(0, 10), lang),
  };
  return html`<p class="note">${fill(text.note, values)}${!outlook.complete && html` ${text.incomplete}`}</p>
${groups.map((group) => {
  const sides = outlook.sides.filter((side) => side.group === group);
  const name =
    group !== null &&
    (/^[\d.]+$/.test(group) ? fill(TEXTS[lang].catalogue.group, { name: group }) : roundText(group, lang));
  return html`${name && html`<h3>${name}</h3>`}${oneTable(sides, options)}`;
})}`;
}

function oneTable(sides: readonly SideOutlook[], { lang, root }: Options): Html {
  const text = OUTLOOK[lang];
  const zoneNames = TEXTS[lang].catalogue.zones;
  const percent = (probability: number) => percentText(probability * 100);
  const isLeague = sides.every(({ champion }) => champion !== null);
  const shown = [isLeague ? text.champion : text.first, ...(sides[0]?.zones ?? []).map(({ kind }) => zoneNames[kind])];
  const rows = sides.map((side) => {
    const cells = [side.champion ?? side.places[0] ?? 0, ...side.zones.map(({ probability }) => probability)];
    const points = side.expected_points.toLocaleString(lang, { maximumFractionDigits: 0 });
    return html`<tr><th scope="row">${teamLink(side.participant_id, side.name, root, nameText(nameOf(side, lang), lang))}</th>
<td class="wide">${points}</td>${cells.map((cell) => html`<td>${percent(cell)}</td>`)}</tr>`;
  });
  const head = [...heads([text.side]), shortHead(text.points, text.expected, 'wide'), ...heads(shown)];
  return scrollTable({ label: text.title, kind: 'list outlook', head, rows });
}

/** Shows the rivals with the highest title probability on any day. */
function racePart(history: readonly OutlookDay[], { outlook }: StoredOutlook, { lang }: Options): Html | false {
  const days = history.map(({ date, sides }) => ({
    date,
    shares: new Map(sides.map(({ participant_id, champion }) => [participant_id, champion])),
  }));
  const rivals = outlook.sides
    .map((side) => ({
      side,
      points: days.flatMap(({ date, shares }) => {
        const share = shares.get(side.participant_id) ?? null;
        return share === null ? [] : [{ date, share }];
      }),
    }))
    .map((rival) => ({ ...rival, most: Math.max(0, ...rival.points.map(({ share }) => share)) }))
    .filter(({ points, most }) => points.length > 1 && most >= LEAST_SHARE)
    .sort((a, b) => b.most - a.most || a.side.position - b.side.position)
    .slice(0, RIVALS);
  if (rivals.length === 0) return false;
  const text = OUTLOOK[lang];
  const month = new Intl.DateTimeFormat(lang, { month: 'short', timeZone: 'UTC' });
  return html`<h3>${text.race}</h3><p class="note">${text.raceText}</p>
${raceChart({
  series: rivals.map(({ side, points }) => ({ name: nameOf(side, lang), points })),
  monthLabel: (date) => month.format(new Date(date)),
})}`;
}
