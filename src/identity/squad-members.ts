/** Stores squads with the players in each list. */
import type { Fault } from '../wire/fault.ts';
import type { ParticipantUpdate } from '../wire/feed-update.ts';
import { type EntityLookup, referenceFaults } from './entities.ts';
import { isOutranked } from './owned-fields.ts';
import { type ParticipantDescriptor, resolveParticipants } from './resolve-participants.ts';
import { resolveSeason, resolveTournament } from './resolve-tournaments.ts';

export interface ListedPlayer {
  update: ParticipantUpdate;
  player_id: number;
  /** The update's position in the list of updates. */
  index: number;
}

interface Member {
  season_id: number;
  team_id: number;
  player_id: number;
  shirt_number: string | null;
  position: string | null;
  provider: string;
}

const keyOf = ({ season_id, team_id, player_id }: Member) => `${season_id} ${team_id} ${player_id}`;

export const squadFaults = (
  known: EntityLookup['known'],
  { participant: { squads = [] } }: ParticipantUpdate,
): Fault[] =>
  squads.flatMap(({ tournament, team }, index) =>
    referenceFaults(known, [
      { path: `participant.squads[${index}].tournament`, country: tournament.country },
      { path: `participant.squads[${index}].team`, country: team.country },
    ]),
  );

/**
 * Stores squad entries. An entry replaces the stored one for the same season, team and player, unless that comes from a
 * better-ranked provider.
 * @returns the positions of updates that changed an entry
 */
export async function storeSquadMembers(lookup: EntityLookup, players: readonly ListedPlayer[]): Promise<Set<number>> {
  const listed = players.flatMap(({ update: { provider, participant }, player_id, index }) =>
    (participant.squads ?? []).map((entry) => {
      const { sport } = participant;
      const team: ParticipantDescriptor = { provider, sport, gender: entry.tournament.gender, ...entry.team };
      return { provider, sport, entry, team, player_id, index };
    }),
  );
  if (listed.length === 0) return new Set();
  const teams = await resolveParticipants(
    lookup,
    listed.map(({ team }) => team),
  );
  const members = new Map<string, Member & { index: number }>();
  for (const { provider, sport, entry, team, player_id, index } of listed) {
    const tournament_id = await resolveTournament(lookup, { provider, sport, ...entry.tournament });
    const season_id = await resolveSeason(lookup, tournament_id, entry.season);
    const { shirt_number = null, position = null } = entry;
    const member = { season_id, team_id: teams.get(team)!, player_id, shirt_number, position, provider, index };
    members.set(keyOf(member), member);
  }
  return writeMembers(lookup, [...members.values()]);
}

async function writeMembers(
  { client, precedence }: EntityLookup,
  members: readonly (Member & { index: number })[],
): Promise<Set<number>> {
  const given = JSON.stringify(members);
  const { rows } = await client.query<Member>(
    `SELECT s.season_id, s.team_id, s.player_id, s.shirt_number, s.position, s.provider
     FROM json_to_recordset($1) AS r (season_id bigint, team_id bigint, player_id bigint)
     JOIN squad_member s USING (season_id, team_id, player_id) ORDER BY 1, 2, 3 FOR UPDATE OF s`,
    [given],
  );
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  const written = members.filter((member) => {
    const before = stored.get(keyOf(member));
    if (before === undefined) return true;
    if (isOutranked(precedence, before.provider, member.provider)) return false;
    return (['shirt_number', 'position', 'provider'] as const).some((field) => before[field] !== member[field]);
  });
  if (written.length === 0) return new Set();
  await client.query(
    `INSERT INTO squad_member (season_id, team_id, player_id, shirt_number, position, provider, updated_at)
     SELECT season_id, team_id, player_id, shirt_number, position, provider, now()
     FROM json_to_recordset($1) AS r (season_id bigint, team_id bigint, player_id bigint, shirt_number text, position text, provider text)
     ORDER BY 1, 2, 3
     ON CONFLICT (season_id, team_id, player_id) DO UPDATE SET shirt_number = excluded.shirt_number, position = excluded.position,
       provider = excluded.provider, updated_at = excluded.updated_at`,
    [JSON.stringify(written)],
  );
  return new Set(written.map(({ index }) => index));
}
