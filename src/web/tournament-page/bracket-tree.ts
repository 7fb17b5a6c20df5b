/** Knock-out rounds as a tree. Each round is a column, and each pairing is next to the two pairings that lead to it. */
import type { z } from 'zod';
import type { bracket } from '../../competitions/bracket/schema.ts';
import { isAside } from '../../competitions/index.ts';
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { pairingResultText, roundText, TEXTS } from '../../site/texts/index.ts';
import type { Sport } from '../../sports/sport.ts';
import type { PageOptions } from '../page-options.ts';
import { matchPath, teamPath } from '../paths.ts';
import { nameOf } from '../status-text.ts';
import { type Half, halfNames, toHalves } from './bracket-halves.ts';

export type Bracket = z.infer<typeof bracket>;
type Round = Bracket['rounds'][number];
type Matchup = Round['matchups'][number];

const standsAlone = ({ name }: Pick<Round, 'name'>) => isAside(name);

/**
 * Sorts each round's pairings, starting with the last round. Two pairings whose winners meet later become adjacent. Pairings that lead to
 * no later pairing come last, in the given order.
 */
export function inTreeOrder<R extends Pick<Round, 'name' | 'matchups'>>(rounds: readonly R[]): R[] {
  const ordered: R[] = [];
  let next: readonly Matchup[] = [];
  for (const round of rounds.toReversed()) {
    const teams = next.flatMap((matchup) => matchup.teams.map(({ participant_id }) => participant_id));
    const place = (matchup: Matchup) => {
      const places = matchup.teams
        .map(({ participant_id }) => (participant_id === null ? -1 : teams.indexOf(participant_id)))
        .filter((index) => index !== -1);
      return places.length === 0 ? teams.length : Math.min(...places);
    };
    const matchups = round.matchups.toSorted((a, b) => place(a) - place(b));
    ordered.unshift({ ...round, matchups });
    next = matchups;
  }
  return ordered;
}

interface BracketOptions extends Pick<PageOptions, 'lang' | 'root'> {
  /** The sport's word for the rounds. */
  title: string;
  /** Draws a tree for each side of the final, if every pairing leads to one of them. */
  shape: Sport['bracket'];
  /** The conference of each side, from which the halves get their names. */
  conferences?: ReadonlyMap<number, string>;
}

export function bracketTree({ rounds }: Pick<Bracket, 'rounds'>, options: BracketOptions): Html {
  const { lang, root } = options;
  const ways = rounds.filter((round) => !standsAlone(round));
  const split = options.shape === 'halves' ? toHalves(ways) : null;
  const names = split === null ? [] : halfNames(split.halves, options.conferences ?? new Map());
  const half = ({ rounds: own }: Half, index: number) => {
    const name = names[index];
    return html`<section>${name && html`<h3 class="half">${roundText(name, lang)}</h3>`}${tree(own, options)}</section>`;
  };
  const shown =
    split === null
      ? tree(ways, options)
      : html`<div class="halves"><div>${split.halves.map(half)}</div>${split.final && tree([split.final], options)}</div>`;
  const columns =
    split === null
      ? ways.length
      : Math.max(...split.halves.map((one) => one.rounds.length)) + (split.final === null ? 0 : 1);
  return html`<div class="scroll" data-columns="${columns}" tabindex="0" role="region" aria-label="${options.title}">${shown}</div>
${rounds.filter(standsAlone).map(
  (round) => html`<h3>${roundText(round.name, lang)}</h3>
<ul class="alone">${round.matchups.map((matchup) => html`<li>${tie(matchup, lang, root)}</li>`)}</ul>`,
)}`;
}

/** Draws rounds as columns. Lines between two rounds are drawn only if they cannot mislead. */
function tree(rounds: readonly Round[], { lang, root }: BracketOptions): Html {
  const ordered = inTreeOrder(rounds);
  const column = (round: Round, index: number) => {
    const next = ordered[index + 1];
    const lines = next === undefined ? '' : linesBetween(round, next);
    return html`<li class="round ${lines}"><h3>${roundText(round.name, lang)}</h3>
<ol>${round.matchups.map((matchup) => html`<li>${tie(matchup, lang, root)}</li>`)}</ol></li>`;
  };
  return html`<ol class="tree">${ordered.map(column)}</ol>`;
}

/**
 * Returns `joined` if every pairing follows from two earlier ones, and `straight` if each follows from the one beside it. With
 * other byes and late entrants, there are no lines.
 */
function linesBetween(round: Round, next: Round): '' | 'joined' | 'straight' {
  if (round.matchups.length === 2 * next.matchups.length) return 'joined';
  const leads = (matchup: Matchup, index: number) =>
    matchup.teams.some(
      ({ participant_id: id }) => id !== null && next.matchups[index]?.teams.some((one) => one.participant_id === id),
    );
  return round.matchups.length === next.matchups.length && round.matchups.every(leads) ? 'straight' : '';
}

function tie(matchup: Matchup, lang: Lang, root: string): Html {
  const text = TEXTS[lang].catalogue;
  const [home, away] = matchup.teams;
  const side = (team: Matchup['teams'][number] | undefined, score: string | null) => {
    if (team === undefined) return html``;
    const name = team.name === null ? text.toBeDecided : nameOf({ name: team.name, name_ru: team.name_ru }, lang);
    const won = matchup.winner_id !== null && matchup.winner_id === team.participant_id;
    return html`<p class="side${won && ' won'}">${
      team.participant_id === null || team.name === null
        ? html`<span class="name">${name}</span>`
        : html`<a class="name" href="${root}${teamPath(team.participant_id, team.name)}">${name}</a>`
    }${team.bye && html` <small>${text.bye}</small>`}<b>${score ?? ''}</b></p>`;
  };
  const event = matchup.event_ids.at(-1);
  const path = event !== undefined && matchPath(event, home?.name ?? '', away?.name ?? '');
  const note = pairingResultText(matchup.result, lang);
  return html`<div class="tie">${side(home, matchup.home_score)}${side(away, matchup.away_score)}
${path && html`<p class="more"><a href="${root}${path}">${note || TEXTS[lang].pages.details}</a></p>`}</div>`;
}
