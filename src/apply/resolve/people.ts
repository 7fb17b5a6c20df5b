/**
 * Resolves the people whom updates' blocks name: players, and coaches on cards. A person whom only a card names may be a
 * coach, for whom no participant is created. Line-ups, coaches and teams decide this, so the stored blocks must be loaded
 * first.
 */
import type { Queryable } from '../../db/postgres.ts';
import type { EntityLookup } from '../../identity/entities.ts';
import { isIdentified } from '../../identity/entity-keys.ts';
import {
  isListedCoach,
  type ListedTeam,
  mayBeListedCoach,
  type PlayerRef,
  type ResolvedRefs,
  resolvePlayers,
} from '../../identity/index.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { Incident } from '../../wire/match.ts';
import { parseList, type StoredBlocks } from '../stored/blocks.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import type { MatchApplyOptions } from '../update-outcomes.ts';
import { type Bench, markCoaches } from './coach-cards.ts';
import { draftIncident, givenPlayers, isCoachCard, type PlayerId } from './given-players.ts';
import { linkNames } from './player-mentions.ts';

/** An update with the stored data about its match. */
interface Loaded {
  readonly update: MatchUpdate;
  readonly refs: ResolvedRefs;
  readonly before: StoredMatch | null;
  /** The stored blocks to compare with the update. */
  readonly storedBlocks: StoredBlocks;
}

/** An update's people. */
export interface People {
  readonly playerId: PlayerId;
  /** True if the reviewed list has the name as a coach of that side on the match day. */
  readonly isListedCoach: Bench['isListed'];
}

/** @returns the updates with their people @throws {BatchConflict} if the updates rename a player at different times */
export async function resolvePeople<U extends Loaded>(
  lookup: EntityLookup,
  updates: readonly U[],
  options: MatchApplyOptions,
): Promise<(U & People)[]> {
  const isListed = await findListedCoaches(lookup.client, updates);
  const findListed = (one: Loaded) => isListed.get(one) ?? isNobody;
  const ids = await resolvePlayers(
    lookup,
    updates.map((one) => ({ update: one.update, players: mentionedPlayers(one, findListed(one)) })),
  );
  const links = await linkNames(lookup.client, updates, options);
  return updates.map((one, index) => ({
    ...one,
    playerId: (ref, side) => ids[index]?.(ref) ?? links[index]?.(ref, side) ?? null,
    isListedCoach: findListed(one),
  }));
}

const isNobody = () => false;

/** Returns the players that an update names, without coaches who got cards. */
function mentionedPlayers(one: Loaded, isListed: Bench['isListed']): PlayerRef[] {
  const players = givenPlayers(one.update).map(({ ref }) => ref);
  const carded = cardedPlayers(one.update);
  if (carded.size === 0) return players;
  const coaches = new Set(cardedCoaches(one, isListed).filter((ref) => carded.has(ref)));
  return players.filter((ref) => !coaches.has(ref));
}

/** Returns the identified players who are named only on cards. */
function cardedPlayers(update: MatchUpdate): Set<PlayerRef> {
  const incidents = update.match.incidents ?? [];
  if (!incidents.some(({ kind, player }) => kind === 'card' && player && isIdentified(player))) return new Set();
  const identity = ({ id, birth_date, name }: PlayerRef) => id ?? `${birth_date}|${name}`;
  const given = givenPlayers(update).filter(({ ref }) => isIdentified(ref));
  const isCard = ({ block, index }: (typeof given)[number]) =>
    block === 'incidents' && incidents[index]?.kind === 'card';
  const others = new Set(given.filter((one) => !isCard(one)).map(({ ref }) => identity(ref)));
  return new Set(given.flatMap((one) => (isCard(one) && !others.has(identity(one.ref)) ? [one.ref] : [])));
}

/** Returns the players whose cards are coaches' cards. */
function cardedCoaches({ update: { match }, storedBlocks }: Loaded, isListed: Bench['isListed']): PlayerRef[] {
  const incidents = match.incidents ?? [];
  const lineups = match.lineups?.map(({ side, player }) => ({ side, player_name: player.name }));
  const bench: Bench = {
    lineups: lineups ?? parseList<Bench['lineups'][number]>(storedBlocks.get('lineups')),
    coaches: match.coaches ?? parseList(storedBlocks.get('coaches')),
    isListed,
  };
  const marked = markCoaches(
    incidents.map((incident) => draftIncident(incident, () => null).incident),
    bench,
  );
  return incidents.flatMap(({ player }, index) => {
    const incident = marked[index];
    return player && incident && isCoachCard(incident) ? [player] : [];
  });
}

/**
 * For each update, returns the names that the reviewed list has as coaches of their sides. Only updates for which this
 * matters are in the result.
 */
async function findListedCoaches(
  client: Queryable,
  updates: readonly Loaded[],
): Promise<Map<Loaded, Bench['isListed']>> {
  const wanted = updates.filter((one) => cardNames(one).some(mayBeListedCoach));
  if (wanted.length === 0) return new Map();
  const { rows } = await client.query<ListedTeam & { id: number }>(
    'SELECT id, sport, gender, key FROM participant WHERE id = ANY ($1)',
    [wanted.flatMap(({ refs }) => [refs.home_id, refs.away_id])],
  );
  const teams = new Map(rows.map((row) => [row.id, row]));
  const found = new Map<Loaded, Bench['isListed']>();
  for (const one of wanted) {
    const { before, update, refs } = one;
    const day = (before?.scheduled_start ?? update.match.scheduled_start)?.slice(0, 10);
    if (day === undefined) continue;
    found.set(one, (side, name) => {
      const team = teams.get(refs[`${side}_id`]);
      return team !== undefined && isListedCoach(team, name, day);
    });
  }
  return found;
}

/**
 * Returns the names on cards that must be looked up in the list of coaches. These are the names on the update's cards and, if
 * the update has line-ups or coaches, those on the stored cards.
 */
function cardNames({ update: { match }, storedBlocks }: Loaded): string[] {
  const given = (match.incidents ?? []).flatMap(({ kind, player }) => (kind === 'card' && player ? [player.name] : []));
  const stored =
    match.lineups === undefined && match.coaches === undefined
      ? []
      : parseList<Incident>(storedBlocks.get('incidents')).flatMap(({ kind, player_name }) =>
          kind === 'card' && player_name !== null ? [player_name] : [],
        );
  return [...given, ...stored];
}
