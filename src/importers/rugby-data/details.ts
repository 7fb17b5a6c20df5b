/** Reads a match's scores, cards, line-ups and player figures. */

import { count, present } from '../../providers/index.ts';
import type { IncidentInput, MatchInput } from '../../wire/feed-update.ts';
import type { RawMatch, RawSide } from './raw-match.ts';

type Details = Pick<MatchInput, 'incidents' | 'statistics' | 'lineups' | 'player_stats'>;
type SideName = 'home' | 'away';

/** Points for each score type. Since 2017, a penalty try counts 7 points, which include the conversion. */
const POINT_TYPES: Readonly<Record<string, { type: string; points: number }>> = {
  Try: { type: 'try', points: 5 },
  'Penalty Try': { type: 'penalty_try', points: 7 },
  Conversion: { type: 'conversion', points: 2 },
  Penalty: { type: 'penalty', points: 3 },
  'Drop goal': { type: 'drop_goal', points: 3 },
};
const MISSED_PENALTY = 'Missed penalty';
const SIN_BIN_MINUTES = 10;
const MATCH_MINUTES = 80;
const FULL_TEAM = 15;
const POSITIONS = [
  ...['Prop', 'Hooker', 'Prop', 'Lock', 'Lock', 'Flanker', 'Flanker', 'Number eight'],
  ...['Scrum-half', 'Fly-half', 'Wing', 'Centre', 'Centre', 'Wing', 'Full-back'],
];

const findPoints = ({ type }: { type: string }) => POINT_TYPES[type]?.points ?? 0;
const ofType = ({ scores }: RawSide, ...types: string[]) => scores.filter(({ type }) => types.includes(type)).length;

/** Sums the points from a side's scores. */
export const sumPoints = ({ scores }: RawSide): number => scores.reduce((sum, score) => sum + findPoints(score), 0);
export const countTries = (side: RawSide): number => ofType(side, 'Try', 'Penalty Try');

/** @param teams the sides' names, because a player's id consists of the team's and the player's name */
export function readDetails(match: RawMatch, teams: Record<SideName, string>): Details {
  if (Object.keys(match.home.lineup).length === 0 || Object.keys(match.away.lineup).length === 0) return {};
  const player = (side: SideName, name: string) => ({ id: `${teams[side]}/${name}`, name });
  const entries = (['home', 'away'] as const).flatMap((side) =>
    Object.entries(match[side].lineup).map(([number, listed]) => ({ side, number, listed })),
  );
  const { home, away } = match;
  const both = (read: (side: RawSide) => number) => [read(home), read(away)] as const;
  return {
    incidents: readIncidents(match, player),
    statistics: [
      count('ALL', 'Conversions', ...both((side) => ofType(side, 'Conversion'))),
      count('ALL', 'Conversions attempted', ...both((side) => ofType(side, 'Conversion', 'Missed conversion'))),
      count('ALL', 'Penalty goals', ...both((side) => ofType(side, 'Penalty'))),
      count('ALL', 'Penalties attempted', ...both((side) => ofType(side, 'Penalty', MISSED_PENALTY))),
      count('ALL', 'Drop goals', ...both((side) => ofType(side, 'Drop goal'))),
      count('ALL', 'Yellow cards', ...both((side) => cards(side, 'yellows'))),
      count('ALL', 'Red cards', ...both((side) => cards(side, 'reds'))),
    ].filter(present),
    lineups: entries.map(({ side, number, listed }) => ({
      side,
      player: player(side, listed.name),
      position: POSITIONS[Number(number) - 1] ?? null,
      shirt_number: number,
      is_substitute: Number(number) > FULL_TEAM,
    })),
    player_stats: entries
      .filter(({ listed }) => listed.on.length > 0)
      .map(({ side, number, listed }) => {
        const own = { ...match[side], scores: match[side].scores.filter((score) => score.player === listed.name) };
        return {
          player: player(side, listed.name),
          side,
          position: POSITIONS[Number(number) - 1] ?? null,
          stats: {
            minutes: sumMinutes(listed),
            points: sumPoints(own),
            tries: ofType(own, 'Try'),
            conversions: ofType(own, 'Conversion'),
            penalty_goals: ofType(own, 'Penalty'),
            drop_goals: ofType(own, 'Drop goal'),
            yellow_cards: listed.yellows.length,
            red_cards: listed.reds.length,
          },
        };
      }),
  };
}

const cards = ({ lineup }: RawSide, color: 'yellows' | 'reds') =>
  Object.values(lineup).reduce((sum, listed) => sum + listed[color].length, 0);

/** Returns a player's minutes on the pitch. With a head injury assessment, a player may come on and go off twice. */
function sumMinutes({ on, off }: RawSide['lineup'][string]): number {
  const ends = off.toSorted((a, b) => a - b);
  return on.reduce((sum, start) => sum + Math.max(0, (ends.find((end) => end >= start) ?? MATCH_MINUTES) - start), 0);
}

type PlayerOf = (side: SideName, name: string) => { id: string; name: string };

function readIncidents(match: RawMatch, player: PlayerOf): IncidentInput[] {
  const found = (['home', 'away'] as const).flatMap((side): IncidentInput[] => [
    ...match[side].scores.flatMap((score) => scoreIncident(score, side, player)),
    ...Object.values(match[side].lineup).flatMap((listed) => [
      ...listed.yellows.map((minute) =>
        cardIncident(minute, side, player(side, listed.name), {
          card_type: 'yellow',
          sin_bin_minutes: SIN_BIN_MINUTES,
        }),
      ),
      ...listed.reds.map((minute) => cardIncident(minute, side, player(side, listed.name), { card_type: 'red' })),
    ]),
    ...substitutions(match[side], side, player),
  ]);
  const ordered = found.toSorted((a, b) => a.minute! - b.minute!);
  const total = { home: 0, away: 0 };
  return ordered.map((incident) => {
    if (incident.kind !== 'point') return incident;
    total[incident.side!] += Number(incident.payload!.points);
    return { ...incident, payload: { ...incident.payload, score: { ...total } } };
  });
}

function scoreIncident(score: RawSide['scores'][number], side: SideName, player: PlayerOf): IncidentInput[] {
  const { minute, type, player: name } = score;
  const known = POINT_TYPES[type];
  const common = { minute, side, ...(name !== null && { player: player(side, name) }) };
  if (known) return [{ ...common, kind: 'point', payload: { points: known.points, point_type: known.type } }];
  return type === MISSED_PENALTY ? [{ ...common, kind: 'penalty', payload: { outcome: 'missed' } }] : [];
}

const cardIncident = (
  minute: number,
  side: SideName,
  player: ReturnType<PlayerOf>,
  payload: object,
): IncidentInput => ({
  minute,
  side,
  kind: 'card',
  player,
  payload: { ...payload },
});

/**
 * Returns the substitutions. Who replaced whom is known only if a side had one player come on and one go off in that
 * minute.
 */
function substitutions({ lineup }: RawSide, side: SideName, player: PlayerOf): IncidentInput[] {
  const players = Object.values(lineup);
  const ons = players.flatMap(({ name, on }) => on.filter((minute) => minute > 0).map((minute) => ({ name, minute })));
  const offs = players.flatMap(({ name, off }) => off.map((minute) => ({ name, minute })));
  return ons.map(({ name, minute }) => {
    const [out, ...others] = offs.filter((one) => one.minute === minute);
    const isSure = others.length === 0 && ons.filter((one) => one.minute === minute).length === 1;
    return {
      minute,
      side,
      kind: 'subst',
      player: player(side, name),
      payload: { player_in: name, ...(out && isSure && { player_out: out.name }) },
    };
  });
}
