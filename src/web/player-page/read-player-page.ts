/** Reads what a player's page shows. Postgres gets one statement for the player, and one for the names in the transfers. */
import { listedMatchesRead, profileRead } from '../../catalogue/index.ts';
import { readAll } from '../../db/reads.ts';
import {
  goalMinutesRead,
  lastSeasonsRead,
  participantVersionRead,
  playerSeasonsRead,
  shownStatistics,
  statisticsNamesRead,
  withFreshFigures,
} from '../../statistics/index.ts';
import { movesRead, transfersRead } from '../../transfers/index.ts';
import type { WebDeps } from '../deps.ts';

const LISTED = 10;
const TRANSFERS = 20;

export type PlayerPageData = NonNullable<Awaited<ReturnType<typeof readPlayerPage>>>;

/** @param id player id @returns null for an unknown player */
export async function readPlayerPage({ pool, reads, clock }: WebDeps, id: number) {
  const now = new Date(clock.now());
  const found = await withFreshFigures(pool, () =>
    readAll(reads, {
      version: participantVersionRead(id),
      player: profileRead(id, now),
      matches: listedMatchesRead(id, now, LISTED),
      asSide: lastSeasonsRead(id),
      asPlayer: playerSeasonsRead(id),
      names: statisticsNamesRead(id),
      moves: movesRead({ id, type: 'player' }),
      minutes: goalMinutesRead(id),
    }),
  );
  const { player, asSide, asPlayer, names, moves, ...shown } = found;
  if (player === null) return null;
  const { transfers } = await readAll(reads, {
    transfers: transfersRead(moves.slice(0, TRANSFERS)),
  });
  return { ...shown, player, statistics: shownStatistics(asSide, asPlayer, names), transfers };
}
