/** The entities that updates of matches name: validated one by one, and resolved in one batch for a transaction. */
import { foldName } from '../db/fold-name.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { type EntityLookup, type KnownEntities, referenceFaults } from './entities.ts';
import { identifyParticipant, isIdentified, storedKey } from './identity.ts';
import { type ParticipantDescriptor, resolveParticipants } from './resolve-participants.ts';
import { resolveSeason, resolveTournament } from './resolve-tournaments.ts';
import { resolveVenue } from './resolve-venues.ts';

export interface PlayerRef {
  id?: string | undefined;
  name: string;
  birth_date?: string | undefined;
  country?: string | undefined;
}

/** An update with players that its blocks name. */
export interface MatchReferences {
  update: MatchUpdate;
  players: readonly PlayerRef[];
}

/** Our ids for the references of an update. */
export interface ResolvedRefs {
  tournament_id: number;
  season_id: number;
  home_id: number;
  away_id: number;
  /** undefined: the update does not mention it. */
  venue_id: number | null | undefined;
}

export interface ResolvedMatch {
  refs: ResolvedRefs;
  /** Returns our id for a player of the update; null if only a name is known. */
  playerId: (ref: PlayerRef) => number | null;
}

/**
 * Returns what the schema cannot check: sports, countries, players that cannot be distinguished from others.
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
 * Resolves sides and players of all updates in a few statements, then tournament, season and venue of each.
 * @returns the ids in the order of the updates
 * @throws {BatchConflict} if the updates rename an entity at different times
 */
export async function resolveMatchReferences(
  lookup: EntityLookup,
  batch: readonly MatchReferences[],
): Promise<ResolvedMatch[]> {
  const described = batch.map(({ update, players }) => {
    const { provider, match } = update;
    const common = { provider, sport: match.sport, gender: match.tournament.gender };
    const side = (ref: MatchUpdate['match']['home']): ParticipantDescriptor => ({ ...common, ...ref });
    const twins = findTwins(match);
    const player = (ref: PlayerRef): ParticipantDescriptor => ({
      ...common,
      type: 'player',
      ...ref,
      ...(twins.size > 0 && twins.has(twinKey(ref)) && { hasTwin: true }),
    });
    return {
      update,
      home: side(match.home),
      away: side(match.away),
      players: describeOnce(players, player),
    };
  });
  const ids = await resolveParticipants(
    lookup,
    described.flatMap(({ home, away, players }) => [home, away, ...new Set(players.values())]),
  );
  const resolved: ResolvedMatch[] = [];
  for (const { update, home, away, players } of described) {
    const { provider, match } = update;
    const tournament_id = await resolveTournament(lookup, { provider, sport: match.sport, ...match.tournament });
    const season_id = await resolveSeason(lookup, tournament_id, match.season);
    const venue_id = match.venue ? await resolveVenue(lookup, { provider, ...match.venue }) : match.venue;
    resolved.push({
      refs: { tournament_id, season_id, home_id: ids.get(home)!, away_id: ids.get(away)!, venue_id },
      playerId: (ref) => ids.get(players.get(ref)!) ?? null,
    });
  }
  return resolved;
}

/** Describes each player once, whom many entries of the blocks name in the same way. */
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
 * Returns birth date and folded name of players whom a line-up lists beside another one of the same identity: nobody stands
 * twice in a line-up, so they are two persons, such as twins with one initial.
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
