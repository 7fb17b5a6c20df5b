/** Line-ups, coaches, referees and statistics of a game of the NHL. Pure. */
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { lookUp } from '../reader.ts';
import { toPlayer } from './incidents.ts';
import type { PlayByPlayReply, RightRailReply } from './replies.ts';

type Match = MatchUpdateInput['match'];
type Statistic = NonNullable<Match['statistics']>[number];

const GOALKEEPER = 'G';

/** Everybody who is dressed plays, but for the goalkeeper whom nobody has shot at while another one was in the net. */
export function readLineups({ rosterSpots, plays, homeTeam, awayTeam }: PlayByPlayReply): Partial<Match> {
  const inNet = new Set(plays.map(({ details }) => details.goalieInNetId));
  const teams = [homeTeam.id, awayTeam.id];
  const known = rosterSpots.filter(({ teamId }) => teams.includes(teamId));
  const keepers = known.filter(({ positionCode }) => positionCode === GOALKEEPER);
  const lineups = known.flatMap((spot) => {
    const player = toPlayer(spot);
    const other = keepers.some(({ teamId, playerId }) => teamId === spot.teamId && inNet.has(playerId));
    if (!player) return [];
    return [
      {
        side: spot.teamId === homeTeam.id ? ('home' as const) : ('away' as const),
        player,
        position: spot.positionCode ?? null,
        shirt_number: typeof spot.sweaterNumber === 'number' ? String(spot.sweaterNumber) : null,
        is_substitute: spot.positionCode === GOALKEEPER && other && !inNet.has(spot.playerId),
      },
    ];
  });
  return lineups.length > 0 ? { lineups, lineup_confirmed: true } : {};
}

/** Category -> statistic and its group. Shares of face-offs are from 0 to 1, power plays are text such as 1/3. */
const CATEGORIES: Record<string, readonly [name: string, group: string]> = {
  sog: ['Shots on goal', 'Match overview'],
  faceoffWinningPctg: ['Face-offs won', 'Match overview'],
  powerPlay: ['Power plays', 'Match overview'],
  pim: ['Penalty minutes', 'Discipline'],
  hits: ['Body checks', 'Match overview'],
  blockedShots: ['Blocked attempts', 'Defence'],
  giveaways: ['Giveaways', 'Match overview'],
  takeaways: ['Takeaways', 'Match overview'],
};

/** Categories that are not known are left out. */
export function readStatistics({ teamGameStats }: RightRailReply): Statistic[] {
  return teamGameStats.flatMap(({ category, homeValue, awayValue }): Statistic[] => {
    const known = lookUp(CATEGORIES, category);
    if (!known || homeValue == null || awayValue == null) return [];
    const isShare = category.endsWith('Pctg');
    const text = (value: number | string) => (isShare ? `${Math.round(Number(value) * 100)}%` : String(value));
    return [
      {
        period: 'ALL',
        group_name: known[1],
        stat_name: known[0],
        home_value: value(homeValue),
        away_value: value(awayValue),
        home_text: text(homeValue),
        away_text: text(awayValue),
      },
    ];
  });
}

/** The number of goals in `1/3`. */
function value(given: number | string): number | null {
  const parsed = typeof given === 'number' ? given : Number(/^\d+/u.exec(given)?.[0] ?? Number.NaN);
  return Number.isFinite(parsed) ? parsed : null;
}

export function readOfficials({ gameInfo }: RightRailReply): Partial<Match> {
  const referees = (gameInfo?.referees ?? []).filter((name) => typeof name === 'string');
  const coaches = (['home', 'away'] as const).flatMap((side) => {
    const coach_name = gameInfo?.[`${side}Team`]?.headCoach;
    return coach_name ? [{ side, coach_name }] : [];
  });
  return {
    ...(referees.length > 0 && { referee: referees.join(', ') }),
    ...(coaches.length > 0 && { coaches }),
  };
}
