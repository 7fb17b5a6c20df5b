/** Reads line-ups, coaches, referees and statistics for an NHL game. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import { lookUp } from '../reader.ts';
import { type Statistic, statisticRow } from '../statistic.ts';
import { toPlayer } from './incidents.ts';
import type { PlayByPlayReply, RightRailReply } from './replies.ts';

const GOALKEEPER = 'G';

/**
 * Returns the line-ups. Everybody who is dressed plays, except a goalkeeper who faced no shot if the side's other
 * goalkeeper did.
 */
export function readLineups({ rosterSpots, plays, homeTeam, awayTeam }: PlayByPlayReply): Partial<MatchInput> {
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

/**
 * Maps a category to the statistic's name and group. Face-off shares are from 0 to 1; power plays are text such as 1/3.
 */
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

/** Returns the statistics. Unknown categories are left out. */
export function readStatistics({ teamGameStats }: RightRailReply): Statistic[] {
  return teamGameStats.flatMap(({ category, homeValue, awayValue }): Statistic[] => {
    const known = lookUp(CATEGORIES, category);
    if (!known || homeValue == null || awayValue == null) return [];
    const isShare = category.endsWith('Pctg');
    const figure = (given: number | string) => ({
      value: readValue(given),
      text: isShare ? `${Math.round(Number(given) * 100)}%` : String(given),
    });
    const [name, group] = known;
    return [statisticRow(['ALL', group, name], figure(homeValue), figure(awayValue))];
  });
}

/** Reads the number of goals in `1/3`. */
function readValue(given: number | string): number | null {
  const parsed = typeof given === 'number' ? given : Number(/^\d+/u.exec(given)?.[0] ?? Number.NaN);
  return Number.isFinite(parsed) ? parsed : null;
}

export function readOfficials({ gameInfo }: RightRailReply): Partial<MatchInput> {
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
