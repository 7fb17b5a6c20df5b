/** The incident kinds. Each has a meaning, its sports, and the type of the event that reports a new incident. */
import type { SportIncident } from '../sports/sport.ts';
import { sportsWith } from '../sports/sports.ts';
import type { MatchEventType } from './event-types.ts';

export interface IncidentKind {
  meaning: string;
  /** Slugs of the sports that have this kind. Absent if every sport has it. */
  sports?: readonly string[];
  /** The type of the event that reports an added incident. */
  event: MatchEventType;
  /** Members of `payload` with descriptions. */
  payload: Record<string, string>;
}

const having = (kind: SportIncident) => sportsWith(({ incidents }) => incidents.includes(kind));
const score = 'the score after it: {"home", "away"}';

export const INCIDENT_KINDS = {
  goal: {
    meaning: 'A goal. `side` is the side for which the goal counts, also for an own goal',
    sports: having('goal'),
    event: 'match.goal',
    payload: {
      goal_type: 'regular, penalty or own_goal',
      score,
      second_assist: 'in ice hockey: the name of the second player who assisted',
    },
  },
  penalty: {
    meaning: 'A penalty in play that was not scored; a scored one is a goal with `goal_type` penalty',
    sports: having('penalty'),
    event: 'match.penalty_missed',
    payload: { outcome: 'missed, saved or post', description: 'text' },
  },
  penalty_shootout: {
    meaning: 'A kick or shot of a shoot-out; it never counts in the score',
    sports: having('penalty_shootout'),
    event: 'match.penalty_shootout',
    payload: { scored: 'true or false', order: 'from 1', score: 'of the shoot-out after it: {"home", "away"}' },
  },
  card: {
    meaning: 'A card',
    sports: having('card'),
    event: 'match.card',
    payload: {
      card_type:
        'yellow, second_yellow or red, as the source says. In football two yellow cards for a player are also a sending-off',
      reason: 'text',
      sin_bin_minutes: 'that the side plays with one fewer, in rugby',
      role: 'coach if it was shown to a coach or other staff, who is no player and has no participant',
    },
  },
  subst: {
    meaning: 'A substitution; `player_name` is the player who comes in',
    event: 'match.substitution',
    payload: { player_in: 'name', player_out: 'name', injury: 'true where it is known to be for one' },
  },
  var: {
    meaning: 'A video review',
    sports: having('var'),
    event: 'match.var',
    payload: { decision: 'what was decided', confirmed: 'true or false' },
  },
  injury_time: {
    meaning: 'Added time was announced',
    sports: having('injury_time'),
    event: 'match.injury_time',
    payload: { minutes: 'added' },
  },
  period_start: { meaning: 'A half, quarter, set or extra time has begun', event: 'match.period_started', payload: {} },
  period_end: {
    meaning: 'A half, quarter, set or extra time is over',
    event: 'match.period_ended',
    payload: { score },
  },
  point: {
    meaning: 'A point, basket, try or run',
    sports: having('point'),
    event: 'match.point',
    payload: { points: 'what it counts', point_type: 'free_throw, two, three, try, conversion, behind …', score },
  },
  set_end: {
    meaning: 'A set, frame, leg or game is over',
    sports: having('set_end'),
    event: 'match.set_ended',
    payload: {
      score,
      games: 'of a set of tennis: {"home", "away"}',
      tie_break: 'its points in the tie-break of a set of tennis: {"home", "away"}',
    },
  },
  suspension: {
    meaning: 'A player is sent off for a time',
    sports: having('suspension'),
    event: 'match.incident',
    payload: { minutes: 'of the suspension', reason: 'text' },
  },
  wicket: {
    meaning:
      'A batter is out. `side` is the side that took the wicket, and the player is the bowler, if the wicket is his',
    sports: having('wicket'),
    event: 'match.wicket',
    payload: {
      how_out: 'caught, bowled, lbw, run_out, stumped and so on',
      player_out: 'name of the batter',
      fielders: 'names of the fielders who took part',
      over: 'overs and balls, such as 17.2',
      runs: 'of the innings after it',
      wickets: 'of the innings after it',
      score,
    },
  },
  boundary: {
    meaning: 'A four or a six; `side` and the player are the ones that bat',
    sports: having('boundary'),
    event: 'match.boundary',
    payload: { runs: '4 or 6', bowler: 'name', over: 'overs and balls, such as 17.2', score },
  },
  over_end: {
    meaning: 'An over is over; `side` is the side that bats, and the player is the bowler',
    sports: having('over_end'),
    event: 'match.over_ended',
    payload: {
      over: 'how many overs the innings has now',
      runs: 'in this over',
      wickets: 'in this over',
      score,
    },
  },
  other: {
    meaning: 'A kind that the service does not know',
    event: 'match.incident',
    payload: { raw_kind: "the provider's term" },
  },
} as const satisfies Record<string, IncidentKind>;

export type IncidentKindName = keyof typeof INCIDENT_KINDS;
export const isIncidentKind = (kind: string): kind is IncidentKindName => Object.hasOwn(INCIDENT_KINDS, kind);
