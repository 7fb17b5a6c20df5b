/**
 * The entities that match updates name. Each update's references are validated separately, and then resolved in one batch for a
 * transaction.
 */
import { foldName } from '../db/fold-name.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { type EntityLookup, type KnownEntities, referenceFaults } from './entities.ts';
import { identifyParticipant, isIdentified, storedKey } from './entity-keys.ts';
import { type ParticipantDescriptor, resolveParticipants } from './resolve-participants.ts';
import { resolveSeason, resolveTournament } from './resolve-tournaments.ts';
import { resolveVenue } from './resolve-venues.ts';

export interface PlayerRef {
  id?: string | undefined;
  name: string;
  birth_date?: string | undefined;
  country?: string | undefined;
}

/** Our ids for the entities that an update names, except the players in blocks. */
export interface ResolvedRefs {
  readonly tournament_id: number;
  readonly season_id: number;
  readonly home_id: number;
  readonly away_id: number;
  /** Undefined if the update does not mention the venue. */
  readonly venue_id: number | null | undefined;
}

/**
 * Returns the faults that the schema cannot find: unknown sports and countries, and players who cannot be told apart.
 * @param players the players in blocks that have a country
 */
export function matchReferenceFaults(
  known: Pick<KnownEntities, 'sports' | 'countries'>,
  { match }: MatchUpdate,
  players: readonly { country: string; path: string }[],
): Fault[] {
  const named = [
    { path: 'match', sport: match.sport },
    { path: 'match.tournament', country: match.tournament.country },
    { path: 'match.home', country: match.home.country },
    { path: 'match.away', country: match.away.country },
    ...(match.venue ? [{ path: 'match.venue', country: match.venue.country }] : []),
    ...players,
  ];
  const faults = referenceFaults(known, named);
  for (const side of ['home', 'away'] as const) {
    if (match[side].type === 'player' && !isIdentified(match[side])) {
      faults.push({
        path: `match.${side}.id`,
        code: 'unidentified',
        detail: 'a player needs an id to be distinguished from others',
      });
    }
  }
  return faults;
}

/**
 * Resolves the sides of all updates in a few statements, and then each update's tournament, season and venue.
 * @returns the updates with the ids
 * @throws {BatchConflict} if the updates rename an entity at different times
 */
export async function resolveMatchReferences<U extends { readonly update: MatchUpdate }>(
  lookup: EntityLookup,
  updates: readonly U[],
): Promise<(U & { readonly refs: ResolvedRefs })[]> {
  const described = updates.map((given) => {
    const { provider, match } = given.update;
    const common = { provider, sport: match.sport, gender: match.tournament.gender };
    const side = (ref: MatchUpdate['match']['home']): ParticipantDescriptor => ({ ...common, ...ref });
    return { given, home: side(match.home), away: side(match.away) };
  });
  const ids = await resolveParticipants(
    lookup,
    described.flatMap(({ home, away }) => [home, away]),
  );
  const resolved: (U & { readonly refs: ResolvedRefs })[] = [];
  for (const { given, home, away } of described) {
    const { provider, match } = given.update;
    const tournament_id = await resolveTournament(lookup, { provider, sport: match.sport, ...match.tournament });
    const season_id = await resolveSeason(lookup, tournament_id, match.season);
    const venue_id = match.venue ? await resolveVenue(lookup, { provider, ...match.venue }) : match.venue;
    const refs = { tournament_id, season_id, home_id: ids.get(home)!, away_id: ids.get(away)!, venue_id };
    resolved.push({ ...given, refs });
  }
  return resolved;
}

/**
 * Resolves the players named in the updates' blocks, in a few statements for all updates.
 * @returns for each update, a function that returns our id for a player in it; null for a player with only a name
 * @throws {BatchConflict} if the updates rename a player at different times
 */
export async function resolvePlayers(
  lookup: EntityLookup,
  named: readonly { update: MatchUpdate; players: readonly PlayerRef[] }[],
): Promise<((ref: PlayerRef) => number | null)[]> {
  const described = named.map(({ update: { provider, match }, players }) => {
    if (players.length === 0) return new Map<PlayerRef, ParticipantDescriptor>();
    const common = { provider, sport: match.sport, gender: match.tournament.gender };
    const twins = findTwins(match);
    return describeOnce(players, (ref) => ({
      ...common,
      type: 'player',
      ...ref,
      ...(twins.size > 0 && twins.has(twinKey(ref)) && { hasTwin: true }),
    }));
  });
  const ids = await resolveParticipants(
    lookup,
    described.flatMap((players) => [...new Set(players.values())]),
  );
  return described.map((players) => (ref) => {
    const descriptor = players.get(ref);
    return (descriptor && ids.get(descriptor)) ?? null;
  });
}

/** Describes each player once, even if many block entries name the player in the same way. */
function describeOnce(
  players: readonly PlayerRef[],
  describe: (ref: PlayerRef) => ParticipantDescriptor,
): Map<PlayerRef, ParticipantDescriptor> {
  const described = new Map<string, ParticipantDescriptor>();
  return new Map(
    players.map((ref) => {
      const key = JSON.stringify(ref);
      const known = described.get(key) ?? describe(ref);
      described.set(key, known);
      return [ref, known];
    }),
  );
}

const twinKey = ({ birth_date, name }: PlayerRef): string => `${birth_date}|${foldName(name)}`;

/**
 * Returns birth date and folded name of players who share birth date, initial and last name with another player in the same
 * line-up. Nobody is in a line-up twice, so they are two people, such as twins.
 */
function findTwins({ sport, lineups }: MatchUpdate['match']): Set<string> {
  const alike = new Map<string, Set<string>>();
  for (const { side, player } of lineups ?? []) {
    if (!player.birth_date) continue;
    const key = `${side}|${storedKey(identifyParticipant({ type: 'player', sport, ...player }))}`;
    const names = alike.get(key);
    if (names === undefined) alike.set(key, new Set([twinKey(player)]));
    else names.add(twinKey(player));
  }
  return new Set([...alike.values()].filter(({ size }) => size > 1).flatMap((names) => [...names]));
}
