/** Reads an NHL game's incidents from the play-by-play or, if that is missing, from the landing. Pure. */
import type { IncidentInput } from '../../wire/feed-update.ts';
import type { Score, Side } from '../side.ts';
import { periodName, playedMinute } from './periods.ts';
import type { LandingReply, PlayByPlayReply, PlayReply } from './replies.ts';

interface Player {
  id: string;
  name: string;
}
interface Person {
  playerId: number;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
}

export const toPlayer = ({ playerId, firstName, lastName }: Person): Player | undefined => {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : { id: String(playerId), name };
};

/** "delaying-game-unsuccessful-challenge" becomes "delaying game unsuccessful challenge". */
const reason = (key: unknown) => (typeof key === 'string' && key !== '' ? { reason: key.replaceAll('-', ' ') } : {});
const PENALTY_SHOT = 'penalty-shot';

/** Keeps the score. Shoot-out goals do not change it, and are counted by themselves. */
class Running {
  readonly score: Score = { home: 0, away: 0 };
  readonly #shootOut: Score = { home: 0, away: 0 };
  #order = 0;

  goal(side: Side, more: Record<string, unknown>): Record<string, unknown> {
    this.score[side] += 1;
    return { ...more, score: { ...this.score } };
  }

  shot(side: Side, scored: boolean): Record<string, unknown> {
    if (scored) this.#shootOut[side] += 1;
    this.#order += 1;
    return { scored, order: this.#order, score: { ...this.#shootOut } };
  }
}

/** Returns the incidents. They have the source's ids, so that a scorer's later correction edits the goal. */
export function playIncidents({ plays, rosterSpots, homeTeam }: PlayByPlayReply): IncidentInput[] {
  const players = new Map(rosterSpots.map((spot) => [spot.playerId, toPlayer(spot)]));
  const named = (id: unknown) => (typeof id === 'number' ? players.get(id) : undefined);
  const running = new Running();
  return [...plays]
    .sort((a, b) => a.sortOrder - b.sortOrder)
    .flatMap((play): IncidentInput[] => {
      const { details, periodDescriptor: period } = play;
      const owner = details.eventOwnerTeamId;
      const side: Side | null = typeof owner !== 'number' ? null : owner === homeTeam.id ? 'home' : 'away';
      const base = {
        id: String(play.eventId),
        minute: playedMinute(period, play.timeInPeriod),
        period: periodName(period),
      };
      if (period?.periodType === 'SO') return side ? shootOutShot(play, { ...base, side }, named, running) : [];
      if (play.typeDescKey === 'goal' && side) return [toGoal(details, { ...base, side }, named, running)];
      if (play.typeDescKey === 'penalty' && side) return [toSuspension(details, { ...base, side }, named)];
      if (play.typeDescKey !== 'period-end') return [];
      return [{ ...base, kind: 'period_end', side: null, payload: { score: { ...running.score } } }];
    });
}

type Base = Pick<IncidentInput, 'id' | 'minute' | 'period'> & { side: Side };
type Named = (id: unknown) => Player | undefined;
type Details = PlayReply['details'];

const SHOTS = new Set(['goal', 'shot-on-goal', 'missed-shot']);

function shootOutShot(
  { typeDescKey, details }: PlayReply,
  base: Base,
  named: Named,
  running: Running,
): IncidentInput[] {
  if (!SHOTS.has(typeDescKey)) return [];
  const player = named(details.scoringPlayerId ?? details.shootingPlayerId);
  const payload = running.shot(base.side, typeDescKey === 'goal');
  return [{ ...base, minute: null, kind: 'penalty_shootout', ...(player && { player }), payload }];
}

function toGoal(details: Details, base: Base, named: Named, running: Running): IncidentInput {
  const player = named(details.scoringPlayerId);
  const [first, second] = [named(details.assist1PlayerId), named(details.assist2PlayerId)];
  return {
    ...base,
    kind: 'goal',
    ...(player && { player }),
    ...(first && { assist: first }),
    payload: running.goal(base.side, { goal_type: 'regular', ...(second && { second_assist: second.name }) }),
  };
}

function toSuspension(details: Details, base: Base, named: Named): IncidentInput {
  const player = named(details.committedByPlayerId ?? details.servedByPlayerId);
  const minutes = details.duration;
  return {
    ...base,
    kind: 'suspension',
    ...(player && { player }),
    payload: { ...(typeof minutes === 'number' && { minutes }), ...reason(details.descKey) },
  };
}

/** Returns the incidents in the landing. There, penalties have no ids, and players have names but no ids. */
export function landingIncidents({ summary, homeTeam }: LandingReply): IncidentInput[] {
  const running = new Running();
  const goals = summary.scoring.flatMap(({ periodDescriptor: period, goals }) =>
    // The landing's list of goals includes the shot that decided the shoot-out.
    (period?.periodType === 'SO' ? [] : goals).map((goal) => ({ period, goal })),
  );
  const scored = goals.map(({ period, goal }): IncidentInput => {
    const [player, first, second] = [goal, ...goal.assists].map(toPlayer);
    const side = goal.isHome ? 'home' : 'away';
    return {
      ...(typeof goal.eventId === 'number' && { id: String(goal.eventId) }),
      minute: playedMinute(period, goal.timeInPeriod),
      period: periodName(period),
      kind: 'goal',
      side,
      ...(player && { player }),
      ...(first && { assist: first }),
      payload: running.goal(side, {
        goal_type: goal.goalModifier === PENALTY_SHOT ? 'penalty' : 'regular',
        ...(second && { second_assist: second.name }),
      }),
    };
  });
  const findSide = (abbrev: string | null | undefined): Side => (abbrev === homeTeam.abbrev ? 'home' : 'away');
  const penalties = summary.penalties.flatMap(({ periodDescriptor: period, penalties }) =>
    penalties.map((penalty): IncidentInput => {
      const name = penalty.committedByPlayer ?? penalty.servedBy;
      return {
        minute: playedMinute(period, penalty.timeInPeriod),
        period: periodName(period),
        kind: 'suspension',
        side: findSide(penalty.teamAbbrev),
        ...(name && { player: { name } }),
        payload: { ...(penalty.duration && { minutes: penalty.duration }), ...reason(penalty.descKey) },
      };
    }),
  );
  const shots = [...summary.shootout]
    .sort((a, b) => a.sequence - b.sequence)
    .map((shot): IncidentInput => {
      const player = toPlayer(shot);
      const side = findSide(shot.teamAbbrev);
      const payload = running.shot(side, shot.result === 'goal');
      return { minute: null, period: 'SO', kind: 'penalty_shootout', side, ...(player && { player }), payload };
    });
  const inOrder = [...scored, ...penalties].sort((a, b) => (a.minute ?? 0) - (b.minute ?? 0));
  return [...inOrder, ...shots];
}
