/** A match's incidents, newest first, and the scorers below the score. */
import type { Lang } from '../../http/index.ts';
import { readMember } from '../../runtime/unknown-values.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { fill, periodText, reasonText, TEXTS, type Texts } from '../../site/texts/index.ts';
import { cardCounts, shownCard } from '../../wire/card-counts.ts';
import type { Incident } from '../../wire/match.ts';
import { playerLink } from '../paths.ts';
import { SHOOT_OUTS } from '../status-text.ts';
import type { MatchView } from './match-view.ts';

export const minuteText = ({ minute, minute_plus }: Pick<Incident, 'minute' | 'minute_plus'>) =>
  minute === null ? '' : minute_plus ? `${minute}+${minute_plus}′` : `${minute}′`;

const score = (payload: Incident['payload']): string => {
  const [home, away] = [readMember(payload.score, 'home'), readMember(payload.score, 'away')];
  return typeof home === 'number' && typeof away === 'number' ? `${home}:${away}` : '';
};
const toText = (value: unknown) => (typeof value === 'string' ? value : '');

export interface Scorer {
  id: number | null;
  player: string;
  /** @example 23′ (pen.), 108′ */
  minutes: string;
}

/** Returns a side's scorers in the order of their first goals. */
export function listScorers(incidents: readonly Incident[], side: 'home' | 'away', lang: Lang): Scorer[] {
  const byPlayer = new Map<string, Incident[]>();
  for (const goal of incidents) {
    const { kind, player_name: player } = goal;
    if (kind === 'goal' && player !== null && goal.side === side)
      byPlayer.set(player, [...(byPlayer.get(player) ?? []), goal]);
  }
  return [...byPlayer].map(([player, goals]) => ({
    id: goals[0]?.player_participant_id ?? null,
    player,
    minutes: goals.map((goal) => `${minuteText(goal)}${goalNote(goal, TEXTS[lang].pages)}`).join(', '),
  }));
}

/** Shows the scorers of both sides below the score. */
export function scorers(incidents: readonly Incident[], { lang, root }: Pick<MatchView, 'lang' | 'root'>): Html | '' {
  const [home, away] = (['home', 'away'] as const).map((side) => listScorers(incidents, side, lang));
  if (home!.length + away!.length === 0) return '';
  const list = (side: readonly Scorer[]) =>
    html`<ul>${side.map(({ id, player, minutes }) => html`<li>${playerLink(id, player, root)} ${minutes}</li>`)}</ul>`;
  return html`<div class="scorers">${list(home!)}${list(away!)}</div>`;
}

const goalNote = ({ payload }: Incident, text: Texts) =>
  payload.goal_type === 'penalty'
    ? ` (${text.penaltyShort})`
    : payload.goal_type === 'own_goal'
      ? ` (${text.ownGoal})`
      : '';

export function timelinePart({ item, blocks, lang, root }: MatchView): Html {
  const text = TEXTS[lang].pages;
  const incidents = blocks.incidents ?? [];
  const cards = cardCounts(incidents, item.sport);
  // A finished match without incidents will never get any, so the section is left out.
  if (blocks.incidents === undefined && item.status === 'finished') return absent('timeline');
  return html`<section id="timeline" class="panel"><h2>${text.timeline}</h2>
${
  incidents.length === 0
    ? html`<p class="note">${emptyText(item, text)}</p>`
    : html`<ol class="timeline" reversed>${incidents.toReversed().map((incident) => row(incident, cards, lang, root))}</ol>`
}</section>`;
}

function emptyText({ status, status_detail }: MatchView['item'], text: Texts): string {
  if (status !== 'scheduled') return text.noIncidents;
  return status_detail === 'awaiting_data' ? text.noResultYet : text.notStartedYet;
}

interface IncidentText {
  /** The icon's CSS class. */
  sign: string;
  main: Html | string;
  more?: Html | string;
}

type CardCounts = ReturnType<typeof cardCounts<Incident>>;

function row(incident: Incident, cards: CardCounts, lang: Lang, root: string): Html {
  const { sign, main, more } = describe(incident, cards, lang, root);
  return html`<li data-kind="${incident.kind}" data-side="${incident.side ?? 'none'}" data-incident="${incident.id}">
<span class="minute">${hasMinute(incident) ? minuteText(incident) : ''}</span><span class="sign ${sign}" aria-hidden="true"></span>
<span class="what"><b>${main}</b>${more && html` <span class="more">${more}</span>`}</span></li>`;
}

function assistText({ assist_name, assist_participant_id, payload }: Incident, lang: Lang, root: string): Html | '' {
  if (!assist_name) return '';
  const second = toText(payload.second_assist);
  return html` ${TEXTS[lang].pages.assist}: ${playerLink(assist_participant_id, assist_name, root)}${second && `, ${second}`}`;
}

/** Returns a score such as `+3` and how it was scored. For baskets from the field, the points already say how. */
function pointText({ points, point_type }: Incident['payload'], lang: Lang): string {
  const worth = typeof points === 'number' ? `+${points}` : '';
  const kind = toText(point_type);
  return [worth, ['two', 'three'].includes(kind) ? '' : reasonText(kind, lang)].filter(Boolean).join(', ');
}

function cardSign(card: Incident, cards: CardCounts): string {
  if (card.payload.card_type === 'red') return 'red';
  return cards.get(card) === 'red_cards' || shownCard(card) === 'red_cards' ? 'second_yellow' : 'yellow';
}

const minutesText = ({ minutes }: Incident['payload']) => (typeof minutes === 'number' ? `${minutes}′` : '');

/** Whether to show the minute. The starts and ends of periods, and shoot-out kicks, appear in order without a minute. */
const hasMinute = ({ kind }: Incident) =>
  !kind.startsWith('period_') && !['set_end', 'penalty_shootout'].includes(kind);

function describe(incident: Incident, cards: CardCounts, lang: Lang, root: string): IncidentText {
  const text = TEXTS[lang].pages;
  const { payload, kind } = incident;
  const player = playerLink(incident.player_participant_id, incident.player_name ?? '', root);
  switch (kind) {
    case 'goal':
      return {
        sign: 'ball',
        main: html`${text.goal} ${score(payload)} ${player}`,
        more: html`${assistText(incident, lang, root)}${goalNote(incident, text)}`,
      };
    case 'point': {
      const points = pointText(payload, lang);
      return {
        sign: 'ball',
        main: html`${score(payload)} ${player}`,
        more: html`${points}${incident.assist_name && points && ','}${assistText(incident, lang, root)}`,
      };
    }
    case 'suspension':
      return {
        sign: 'card-yellow',
        main: player,
        more: [minutesText(payload), reasonText(toText(payload.reason), lang)].filter(Boolean).join(', '),
      };
    case 'card':
      return {
        sign: `card-${cardSign(incident, cards)}`,
        main: player,
        more: [payload.role === 'coach' ? text.coach.toLowerCase() : '', reasonText(toText(payload.reason), lang)]
          .filter(Boolean)
          .join(', '),
      };
    case 'subst':
      return { sign: 'swap', main: toText(payload.player_in) || player, more: `← ${toText(payload.player_out)}` };
    case 'penalty':
      return { sign: 'missed', main: html`${text.penaltyMissed} ${player}`, more: toText(payload.description) };
    case 'penalty_shootout':
      return {
        sign: payload.scored === true ? 'ball' : 'missed',
        main: html`${player} ${payload.scored === true ? text.scoredKick : text.missedKick}`,
        more: score(payload),
      };
    case 'var':
      return { sign: 'var', main: `VAR: ${reasonText(toText(payload.decision), lang)}`, more: player };
    case 'injury_time':
      return { sign: 'clock', main: fill(text.addedTime, { minutes: String(payload.minutes ?? '') }) };
    case 'period_start':
    case 'set_end':
    case 'period_end': {
      const period = periodText(incident.period ?? '', lang);
      const [end, begin] = [text.endOf, text.kickOffOf];
      const what =
        lang === 'en'
          ? `${kind === 'period_start' ? begin : end}: ${period}`
          : `${kind === 'period_start' ? begin : end} ${period}`;
      return {
        sign: 'whistle',
        main: what,
        more: kind !== 'period_start' && !SHOOT_OUTS.has(incident.period ?? '') ? score(payload) : '',
      };
    }
    default:
      return {
        sign: 'dot',
        main: html`${toText(payload.raw_kind) || kind.replaceAll('_', ' ')} ${player}`,
        more: toText(payload.description),
      };
  }
}
