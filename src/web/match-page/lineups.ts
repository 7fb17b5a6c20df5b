/** Line-ups, with each player's goals, cards and substitutions. */
import { NEUTRAL_COLOURS } from '../../catalogue/index.ts';
import type { Lang } from '../../http/index.ts';
import { nameText } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { minuteText, reasonText, TEXTS } from '../../site/texts/index.ts';
import { findSport, sportWords } from '../../sports/sports.ts';
import { cardCounts } from '../../wire/card-counts.ts';
import { grouped } from '../../wire/grouped.ts';
import type { Incident } from '../../wire/match.ts';
import { coachPath, playerLink } from '../paths.ts';
import { positionText } from '../player-positions.ts';
import { kit } from './kit.ts';
import type { MatchView } from './match-view.ts';

type Side = 'home' | 'away';
type Entry = NonNullable<MatchView['blocks']['lineups']>[number];

export function lineupsPart(view: MatchView): Html {
  const { item, lang } = view;
  const sides = (['home', 'away'] as const).filter((side) => isKnown(view, side));
  if (sides.length === 0) return absent('lineups');
  const text = TEXTS[lang].pages;
  return html`<section id="lineups" class="panel"><h2>${item.lineup_confirmed === false ? text.preliminary : text.lineups}</h2>
<div class="sheets">${sides.map((side) => sheet(view, side))}</div></section>`;
}

/** Whether this side's line-up is known. Some sources have only one side's. */
const isKnown = ({ blocks }: MatchView, side: Side) =>
  [blocks.lineups, blocks.coaches, blocks.missing_players].some((list) => list?.some((one) => one.side === side));

function sheet(view: MatchView, side: Side): Html {
  const { blocks, item, names, lang, root } = view;
  const text = TEXTS[lang].pages;
  const entries = (blocks.lineups ?? []).filter((entry) => entry.side === side);
  const marks = collectMarks(
    (blocks.incidents ?? []).filter((incident) => incident.side === side),
    item.sport,
  );
  const bench = entries
    .filter((entry) => entry.is_substitute)
    .sort((a, b) => Number(marks.has(b.player_name)) - Number(marks.has(a.player_name)));
  const rows = (list: Entry[]) => html`<ul class="players">${list.map((entry) => player(entry, marks, view))}</ul>`;
  const coach = blocks.coaches?.find((one) => one.side === side);
  const missing = (blocks.missing_players ?? []).filter((one) => one.side === side);
  return html`<section class="sheet" data-side="${side}">
<h3>${shirt(view, side)}${names[side]} <span class="formation">${entries[0]?.formation}</span></h3>
${rows(entries.filter((entry) => !entry.is_substitute))}
${
  bench.length > 0 &&
  html`<h4>${sportWords(item.sport).bench[lang]}</h4>
${rows(bench)}`
}
${coach && html`<p class="coach"><span>${text.coach}</span> ${coachLink(coach, view)}</p>`}
${
  missing.length > 0 &&
  html`<h4>${text.missing}</h4><ul class="missing">${missing.map(
    ({ player_participant_id: id, player_name: name, reason_text: reason }) =>
      html`<li>${playerLink(id, name, root, nameText(name, lang))}
<span class="more">${reason && nameText(reasonText(reason, lang), lang)}</span></li>`,
  )}</ul>`
}
</section>`;
}

/** Draws the side's shirt, unless neither side's colours are known. */
const shirt = ({ colours }: MatchView, side: Side) =>
  (colours.home ?? colours.away) && kit(colours[side] ?? NEUTRAL_COLOURS, `kit-${side}`);

function coachLink(coach: Coach, { lang, root }: MatchView): Html {
  const name = nameText(coachName(coach, lang), lang);
  const { coach_id: id } = coach;
  return id === null ? html`${name}` : html`<a href="${root}${coachPath(id, coach.coach_name)}">${name}</a>`;
}

type Coach = NonNullable<MatchView['blocks']['coaches']>[number];

const coachName = ({ coach_name, coach_name_ru }: Coach, lang: Lang) =>
  lang === 'ru' ? (coach_name_ru ?? coach_name) : coach_name;

function player(entry: Entry, marks: Marks, { lang, root, item }: MatchView): Html {
  const cells = {
    shirt: entry.shirt_number,
    name: playerLink(entry.player_participant_id, entry.player_name, root, nameText(entry.player_name, lang)),
    marks: marks.get(entry.player_name),
    position: positionText(entry.position, item.sport, lang),
  };
  return html`<li>${Object.entries(cells).map(([kind, content]) => html`<span class="${kind}">${content}</span>`)}</li>`;
}

type Marks = Map<string, Html[]>;

/** Goals, cards and substitutions by the player's name. */
function collectMarks(incidents: Incident[], sport: string): Marks {
  const marks: Marks = new Map();
  const cards = cardCounts(incidents, sport);
  const { sign } = sportWords(sport);
  const add = (name: unknown, kind: string, label: string, shown: string | false = false) => {
    if (typeof name !== 'string') return;
    const mark = html`<span class="sign ${kind}" role="img" aria-label="${label}"></span>${shown && html`<small>${shown}</small>`}`;
    marks.set(name, [...(marks.get(name) ?? []), mark]);
  };
  const goals = incidents.filter(({ kind, payload }) => kind === 'goal' && payload.goal_type !== 'own_goal');
  if (findSport(sport)?.scorers === 'counts') {
    for (const [name, own] of grouped(goals, ({ player_name }) => player_name ?? ''))
      add(name, sign, String(own.length), String(own.length));
  } else for (const goal of goals) add(goal.player_name, sign, minuteText(goal));
  for (const incident of incidents) {
    const minute = minuteText(incident);
    const card = cards.get(incident);
    if (card !== undefined) add(incident.player_name, card === 'yellow_cards' ? 'card-yellow' : 'card-red', minute);
    if (incident.kind === 'subst') {
      add(incident.payload.player_in ?? incident.player_name, 'in', minute, minute);
      add(incident.payload.player_out, 'out', minute, minute);
    }
  }
  return marks;
}
