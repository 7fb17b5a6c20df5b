/** Football matches and incidents, for tests of win probabilities. */
import type { InPlayMatch } from '../../src/in-play/situation.ts';
import type { Incident } from '../../src/wire/match.ts';

let serial = 0;

export const incident = (over: Partial<Incident>): Incident => ({
  id: ++serial,
  minute: null,
  minute_plus: null,
  period: null,
  kind: 'goal',
  side: 'home',
  player_name: null,
  player_participant_id: null,
  assist_name: null,
  assist_participant_id: null,
  payload: {},
  ...over,
});

export const goal = (side: 'home' | 'away', minute: number | null, over: Partial<Incident> = {}): Incident =>
  incident({ side, minute, ...over });

export const card = (
  card_type: string,
  player_name: string | null,
  minute: number | null,
  over: Partial<Incident> = {},
) => incident({ kind: 'card', minute, player_name, payload: { card_type }, ...over });

export const kick = (side: 'home' | 'away', scored: boolean): Incident =>
  incident({ kind: 'penalty_shootout', period: 'PEN', side, payload: { scored } });

/** Makes a live match in regular time. The score follows from the goals, unless it is given. */
export function liveMatch(minute: number | null, incidents: readonly Incident[] = [], over: Partial<InPlayMatch> = {}) {
  const count = (side: 'home' | 'away') => incidents.filter((one) => one.kind === 'goal' && one.side === side).length;
  const match: InPlayMatch = {
    status: 'live',
    status_detail: 'in_play',
    minute,
    home_score: count('home'),
    away_score: count('away'),
    period_scores: [],
    incidents,
    ...over,
  };
  return match;
}
