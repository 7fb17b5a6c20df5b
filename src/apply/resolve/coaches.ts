/**
 * Players whom only cards of an update name: any of them may be a coach, who gets no participant. Line-ups, coaches and teams tell,
 * so that these players are resolved once the stored match is loaded.
 */
import type { Queryable } from '../../db/postgres.ts';
import type { EntityLookup } from '../../identity/entities.ts';
import { isIdentified } from '../../identity/identity.ts';
import { isListedCoach, type ListedTeam, mayBeListedCoach } from '../../identity/listed-coaches.ts';
import type { PlayerRef } from '../../identity/match-references.ts';
import { type ParticipantDescriptor, resolveParticipants } from '../../identity/resolve-participants.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { Incident } from '../../wire/match.ts';
import type { UpdateChange } from '../match-change.ts';
import { type Bench, markCoaches } from '../merge/coaches.ts';
import { givenPlayers, isCoachCard } from '../merge/given-players.ts';
import { draftIncident } from '../merge/incidents.ts';
import { parseList } from '../merge/match-blocks.ts';
import type { LineupPlayer } from '../merge/players.ts';

/** Returns the identified players whom only cards name. */
export function cardedPlayers(update: MatchUpdate): Set<PlayerRef> {
  const incidents = update.match.incidents ?? [];
  if (!incidents.some(({ kind, player }) => kind === 'card' && player && isIdentified(player))) return new Set();
  const identity = ({ id, birth_date, name }: PlayerRef) => id ?? `${birth_date}|${name}`;
  const given = givenPlayers(update).filter(({ ref }) => isIdentified(ref));
  const isCard = ({ block, index }: (typeof given)[number]) =>
    block === 'incidents' && incidents[index]!.kind === 'card';
  const others = new Set(given.filter((one) => !isCard(one)).map(({ ref }) => identity(ref)));
  return new Set(given.flatMap((one) => (isCard(one) && !others.has(identity(one.ref)) ? [one.ref] : [])));
}

/** Resolves the players whom only cards name, without the coaches among them. Their stored blocks are loaded. */
export async function resolveCarded(
  lookup: EntityLookup,
  changes: readonly UpdateChange[],
): Promise<'conflict' | 'resolved'> {
  const wanted = new Map<PlayerRef, ParticipantDescriptor>();
  for (const change of changes) {
    const carded = cardedPlayers(change.update);
    if (carded.size === 0) continue;
    for (const ref of givenCoaches(change)) carded.delete(ref);
    const { provider, match } = change.update;
    const common = { provider, sport: match.sport, gender: match.tournament.gender, type: 'player' } as const;
    for (const ref of carded) wanted.set(ref, { ...common, ...ref });
  }
  if (wanted.size === 0) return 'resolved';
  const ids = await resolveParticipants(lookup, [...wanted.values()]);
  if (lookup.hasConflict) return 'conflict';
  for (const change of changes) {
    const { playerId } = change;
    change.playerId = (ref, side) => ids.get(wanted.get(ref)!) ?? playerId(ref, side);
  }
  return 'resolved';
}

/** Returns the players whose cards are coaches' cards. */
function givenCoaches({ update: { match }, storedBlocks, isListedCoach }: UpdateChange): PlayerRef[] {
  const incidents = match.incidents!;
  const lineups = match.lineups?.map(({ side, player }) => ({ side, player_name: player.name }));
  const bench: Bench = {
    lineups: lineups ?? parseList<LineupPlayer>(storedBlocks.get('lineups')),
    coaches: match.coaches ?? parseList(storedBlocks.get('coaches')),
    isListed: isListedCoach,
  };
  const marked = markCoaches(
    incidents.map((incident) => draftIncident(incident, () => null).incident),
    bench,
  );
  return marked.flatMap((incident, index) => (isCoachCard(incident) ? (incidents[index]!.player ?? []) : []));
}

/** Lets the updates that need it know which names the reviewed list has as coaches of their sides. Their stored blocks are loaded. */
export async function findListedCoaches(client: Queryable, changes: readonly UpdateChange[]): Promise<void> {
  const wanted = changes.filter((change) => cardNames(change).some(mayBeListedCoach));
  if (wanted.length === 0) return;
  const { rows } = await client.query<ListedTeam & { id: number }>(
    'SELECT id, sport, gender, key FROM participant WHERE id = ANY ($1)',
    [wanted.flatMap(({ refs }) => [refs.home_id, refs.away_id])],
  );
  const teams = new Map(rows.map((row) => [row.id, row]));
  for (const change of wanted) {
    const { before, update, refs } = change;
    const day = (before?.scheduled_start ?? update.match.scheduled_start)?.slice(0, 10);
    if (day === undefined) continue;
    change.isListedCoach = (side, name) => isListedCoach(teams.get(refs[`${side}_id`])!, name, day);
  }
}

/** Returns the names on cards that the update gives, or of which its line-ups may say more. */
function cardNames({ update: { match }, storedBlocks }: UpdateChange): string[] {
  const given = (match.incidents ?? []).flatMap(({ kind, player }) => (kind === 'card' && player ? [player.name] : []));
  const stored =
    match.lineups === undefined && match.coaches === undefined
      ? []
      : parseList<Incident>(storedBlocks.get('incidents')).flatMap(({ kind, player_name }) =>
          kind === 'card' && player_name !== null ? [player_name] : [],
        );
  return [...given, ...stored];
}
