/** A match's incidents, newest first, and the scorers below the score. */
import type { Lang } from '../../http/index.ts';
import { readMember } from '../../runtime/unknown-values.ts';
import { nameText } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import {
  CRICKET,
  fill,
  goalNote,
  minuteText,
  periodInSentence,
  pointText,
  reasonText,
  scoreAfterText,
  TEXTS,
  type Texts,
} from '../../site/texts/index.ts';
import type { Sport } from '../../sports/sport.ts';
import { findSport, sportWords } from '../../sports/sports.ts';
import { cardCounts, shownCard } from '../../wire/card-counts.ts';
import type { Incident } from '../../wire/match.ts';
import { playerLink } from '../paths.ts';
import { SHOOT_OUTS } from '../status-text.ts';
import { dismissalText } from './cricket-result.ts';
import type { MatchView } from './match-view.ts';
import { checkout, highestBreak } from './points-history.ts';
import { wicketsIn } from './wickets.ts';

/** Units that stand for a period won. Points of the period itself are shown too. */
const COUNTS_PERIODS: ReadonlySet<Sport['unit']> = new Set([
  'sets',
  'volleyball_sets',
  'games',
  'frames',
  'legs',
  'maps',
]);

const toText = (value: unknown) => (typeof value === 'string' ? value : '');

export interface Scorer {
  id: number | null;
  player: string;
  /** `23′ (pen.), 108′`, or the number of goals in sports with many of them. */
  goals: string;
}

/**
 * Returns a side's scorers in the order of their first goals. In sports with many goals, scorers with the most come first.
 * @param sport slug
 */
export function listScorers(
  incidents: readonly Incident[],
  side: 'home' | 'away',
  sport: string,
  lang: Lang,
): Scorer[] {
  const byPlayer = new Map<string, Incident[]>();
  for (const goal of incidents) {
    const { kind, player_name: player } = goal;
    if (kind === 'goal' && player !== null && goal.side === side)
      byPlayer.set(player, [...(byPlayer.get(player) ?? []), goal]);
  }
  const isCounted = findSport(sport)?.scorers === 'counts';
  const players = isCounted ? [...byPlayer].sort(([, a], [, b]) => b.length - a.length) : [...byPlayer];
  return players.map(([player, goals]) => ({
    id: goals[0]?.player_participant_id ?? null,
    player,
    goals: isCounted
      ? String(goals.length)
      : goals.map((goal) => `${minuteText(goal)}${goalNote(goal, sport, lang)}`).join(', '),
  }));
}

/** Shows the scorers of both sides below the score. */
export function scorers({ blocks, item, lang, root }: MatchView): Html | '' {
  const ofSide = (side: 'home' | 'away') => listScorers(blocks.incidents ?? [], side, item.sport, lang);
  const [home, away] = [ofSide('home'), ofSide('away')];
  if (home.length + away.length === 0) return '';
  const list = (side: readonly Scorer[]) =>
    html`<ul>${side.map(({ id, player, goals }) => html`<li>${playerLink(id, player, root, nameText(player, lang))} ${goals}</li>`)}</ul>`;
  return html`<div class="scorers">${list(home)}${list(away)}</div>`;
}

export function timelinePart(view: MatchView): Html {
  const { item, blocks, lang } = view;
  const text = TEXTS[lang].pages;
  const incidents = shownIncidents(blocks.incidents ?? []);
  const cards = cardCounts(incidents, item.sport);
  // A finished match without incidents will never get any, so the section is left out.
  if (blocks.incidents === undefined && item.status === 'finished') return absent('timeline');
  return html`<section id="timeline" class="panel"><h2>${text.timeline}</h2>
${
  incidents.length === 0
    ? html`<p class="note">${emptyText(item, text)}</p>`
    : html`${boundaryChoice(incidents, lang)}
<ol class="timeline" reversed>${incidents.toReversed().map((incident) => row(incident, cards, view))}</ol>`
}</section>`;
}

/** Shows or hides the fours and sixes, which are most of a match's incidents in cricket. They are hidden at first. */
function boundaryChoice(incidents: readonly Incident[], lang: Lang): Html | false {
  const count = incidents.filter(({ kind }) => kind === 'boundary').length;
  const text = fill(CRICKET[lang].boundaries, { count });
  return count > 0 && html`<label class="boundaries"><input type="checkbox"> ${text}</label>`;
}

/** Ends of overs are in the charts and the scorecard. */
const shownIncidents = (incidents: readonly Incident[]) => incidents.filter(({ kind }) => kind !== 'over_end');

function emptyText({ status, status_detail }: MatchView['item'], text: Texts): string {
  if (status !== 'scheduled') return text.noIncidents;
  return status_detail === 'awaiting_data' ? text.noResultYet : text.notStartedYet;
}

interface IncidentText {
  /** The icon's CSS class. */
  sign: string;
  /** Text in the icon. */
  within?: string;
  main: Html | string;
  more?: Html | string;
}

type CardCounts = ReturnType<typeof cardCounts<Incident>>;

function row(incident: Incident, cards: CardCounts, view: MatchView): Html {
  const { sign, within, main, more } = describe(incident, cards, view);
  return html`<li data-kind="${incident.kind}" data-side="${incident.side ?? 'none'}" data-incident="${incident.id}">
<span class="minute">${whenText(incident)}</span><span class="sign ${sign}" aria-hidden="true">${within}</span>
<span class="what"><b>${main}</b>${more && html` <span class="more">${more}</span>`}</span></li>`;
}

function assistText({ assist_name, assist_participant_id, payload }: Incident, lang: Lang, root: string): Html | '' {
  if (!assist_name) return '';
  const second = toText(payload.second_assist);
  const name = nameText(assist_name, lang);
  const player = playerLink(assist_participant_id, assist_name, root, name);
  return html` ${TEXTS[lang].pages.assist}: ${player}${second && html`, ${nameText(second, lang)}`}`;
}

/** Returns the score after an incident, in cricket as the batting side's runs and wickets. */
function scoreAfter(incident: Incident, { item, blocks }: MatchView): string {
  const { payload, side, period } = incident;
  const runs = side === null ? undefined : readMember(payload.score, side);
  const fallen = side === null ? null : wicketsIn(period, side, item.sport, blocks.incidents, incident);
  return fallen === null || typeof runs !== 'number' ? scoreAfterText(payload) : `${runs}/${fallen}`;
}

/** Returns how a set, frame or game ended, with the score after it: `6:4 (1:0)`. In other sports, returns the score. */
function setText({ period, side, payload }: Incident, { item, blocks, lang }: MatchView): string {
  const after = scoreAfterText(payload);
  const sport = findSport(item.sport);
  const own = COUNTS_PERIODS.has(sport?.unit ?? 'points')
    ? item.extra.period_scores.find((one) => one.period === period)
    : undefined;
  // A leg of darts has no points of its own, only a winner.
  const result = own !== undefined && own.home + own.away > 1 ? `${own.home}:${own.away}` : '';
  const points = blocks.points_history?.find(({ tab }) => tab === period)?.points ?? [];
  const figure = sport?.setFigure === 'checkout' ? checkout(points, side) : highestBreak(points);
  const text = TEXTS[lang].pages;
  const told =
    sport?.setFigure === undefined || figure === null
      ? ''
      : fill(sport.setFigure === 'checkout' ? text.checkout : text.highestBreak, { points: figure });
  const scores = result === '' || after === '' ? result || after : `${result} (${after})`;
  return [scores, told].filter(Boolean).join(', ');
}

function cardSign(card: Incident, cards: CardCounts): string {
  if (card.payload.card_type === 'red') return 'red';
  return cards.get(card) === 'red_cards' || shownCard(card) === 'red_cards' ? 'second_yellow' : 'yellow';
}

const minutesText = (minutes: unknown, lang: Lang) =>
  typeof minutes === 'number' ? fill(TEXTS[lang].pages.minutes, { minutes }) : '';

/** Returns the minute; in cricket, the overs and balls. */
const whenText = (incident: Incident): string =>
  toText(incident.payload.over) || (hasMinute(incident) ? minuteText(incident) : '');

/** Whether to show the minute. The starts and ends of periods, and shoot-out kicks, appear in order without a minute. */
const hasMinute = ({ kind }: Incident) =>
  !kind.startsWith('period_') && !['set_end', 'penalty_shootout'].includes(kind);

function describe(incident: Incident, cards: CardCounts, view: MatchView): IncidentText {
  const { item, lang, root } = view;
  const text = TEXTS[lang].pages;
  const words = sportWords(item.sport);
  const { payload, kind } = incident;
  const name = incident.player_name ?? '';
  const player = playerLink(incident.player_participant_id, name, root, nameText(name, lang));
  switch (kind) {
    case 'goal':
      return {
        sign: words.sign,
        main: html`${text.goal} ${scoreAfterText(payload)} ${player}`,
        more: html`${assistText(incident, lang, root)}${goalNote(incident, item.sport, lang)}`,
      };
    case 'point': {
      const points = pointText(payload, lang);
      return {
        sign: words.sign,
        main: html`${scoreAfter(incident, view)} ${player}`,
        more: html`${points}${incident.assist_name && points && ','}${assistText(incident, lang, root)}`,
      };
    }
    case 'suspension':
      return {
        sign: 'suspension',
        within: typeof payload.minutes === 'number' ? String(payload.minutes) : '',
        main: player,
        more: [minutesText(payload.minutes, lang), reasonText(toText(payload.reason), lang)].filter(Boolean).join(', '),
      };
    case 'card':
      return {
        sign: `card-${cardSign(incident, cards)}`,
        main: player,
        more: [
          payload.role === 'coach' ? text.coach.toLowerCase() : '',
          minutesText(payload.sin_bin_minutes, lang),
          reasonText(toText(payload.reason), lang),
        ]
          .filter(Boolean)
          .join(', '),
      };
    case 'subst':
      return substitution(incident, player, lang);
    case 'penalty':
      return {
        sign: 'missed',
        main: html`${words.penalty.missed[lang]} ${player}`,
        more: toText(payload.description),
      };
    case 'penalty_shootout':
      return {
        sign: payload.scored === true ? words.sign : 'missed',
        main: html`${player} ${payload.scored === true ? text.scoredKick : text.missedKick}`,
        more: scoreAfterText(payload),
      };
    case 'var':
      return {
        sign: 'var',
        main: `${words.review[lang]}: ${reasonText(toText(payload.decision), lang)}`,
        more: player,
      };
    case 'injury_time':
      return { sign: 'clock', main: fill(text.addedTime, { minutes: String(payload.minutes ?? '') }) };
    case 'wicket':
      return wicket(incident, view);
    case 'boundary': {
      const runs = typeof payload.runs === 'number' ? payload.runs : '';
      return { sign: 'run', main: html`${runs} ${player}`, more: nameText(toText(payload.bowler), lang) };
    }
    case 'period_start':
    case 'set_end':
    case 'period_end':
      return periodLine(incident, view);
    default: {
      const known = words.incidents[toText(payload.raw_kind)];
      return {
        sign: known?.sign ?? 'dot',
        main: html`${known?.name[lang] ?? (toText(payload.raw_kind) || kind.replaceAll('_', ' '))} ${player}`,
        more: toText(payload.description),
      };
    }
  }
}

/** Names the batter who is out, how, and the innings' runs and wickets. */
function wicket({ payload, player_name }: Incident, { item, lang }: MatchView): IncidentText {
  const known = sportWords(item.sport).incidents.wicket;
  const fielders = Array.isArray(payload.fielders) ? payload.fielders.filter((name) => typeof name === 'string') : [];
  const how = toText(payload.how_out);
  const isCounted = typeof payload.runs === 'number' && typeof payload.wickets === 'number';
  const player = toText(payload.player_out) || (player_name ?? '');
  return {
    sign: 'wicket',
    main: html`${isCounted ? `${payload.runs}/${payload.wickets}` : (known?.name[lang] ?? '')} ${nameText(player, lang)}`,
    more: how === '' ? '' : dismissalText({ kind: how, bowler: player_name, fielders }, lang),
  };
}

/** Names the player who comes in, and the one who goes out if a source tells. */
function substitution({ payload, player_name }: Incident, player: Html, lang: Lang): IncidentText {
  const [comesIn, goesOut] = [toText(payload.player_in), toText(payload.player_out)];
  const isKnown = comesIn !== '' || player_name !== null;
  return {
    sign: 'swap',
    main: comesIn === '' ? (isKnown ? player : TEXTS[lang].pages.substitution) : nameText(comesIn, lang),
    more: goesOut === '' ? '' : html`← ${nameText(goesOut, lang)}`,
  };
}

function periodLine(incident: Incident, view: MatchView): IncidentText {
  const { item, lang } = view;
  const text = TEXTS[lang].pages;
  const code = incident.period ?? '';
  const period = periodInSentence(code, item.sport, lang);
  const isStart = incident.kind === 'period_start';
  const what = isStart ? text.startOf : text.endOf;
  return {
    sign: 'whistle',
    main: lang === 'en' ? `${what}: ${period}` : `${what} ${period}`,
    more: isStart || SHOOT_OUTS.has(code) ? '' : setText(incident, view),
  };
}
