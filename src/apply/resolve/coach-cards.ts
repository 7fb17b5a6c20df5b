/** Finds the cards of coaches, who are on no list of players: they get no participant. */
import { foldName } from '../../db/fold-name.ts';
import type { Queryable } from '../../db/postgres.ts';
import type { EntityLookup } from '../../identity/entities.ts';
import { isIdentified } from '../../identity/identity.ts';
import { isListedCoach, type ListedTeam, mayBeListedCoach } from '../../identity/listed-coaches.ts';
import type { PlayerRef, ResolvedRefs } from '../../identity/match-references.ts';
import { FIT, matchName, readName } from '../../identity/player-names.ts';
import { type ParticipantDescriptor, resolveParticipants } from '../../identity/resolve-participants.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { Blocks, Incident } from '../../wire/match.ts';
import { parseList, type StoredBlocks } from '../stored/blocks.ts';
import {
  COACH,
  draftIncident,
  givenPlayers,
  isCoachCard,
  type PlayerId,
  playerSide,
  type Unnumbered,
} from './given-players.ts';

type Side = 'home' | 'away';

/** What is known about the people of a match. */
export interface Bench {
  lineups: readonly { side: Side; player_name: string }[];
  coaches: NonNullable<Blocks['coaches']>;
  /** Whether the reviewed list names a coach of that side. */
  isListed: (side: Side, name: string) => boolean;
}

/**
 * Returns the incidents with the cards of coaches marked: `payload.role` is `coach`, and no player is linked. A player's card loses
 * that role. A person whose name is in the side's line-up or another incident is a player. Else a card is a coach's
 * - if the provider says so;
 * - if the line-up has no player whom the name fits in full or abbreviated, and the reviewed list has the name;
 * - if the side has such a line-up, and the name fits one of its coaches.
 */
export function markCoaches<T extends Unnumbered>(incidents: readonly T[], bench: Bench): T[] {
  if (!incidents.some(({ kind }) => kind === 'card')) return [...incidents];
  const known = new Map<string, boolean>();
  const playing = new Set(incidents.flatMap(namesInPlay));
  const isCoach = (side: Side, name: string) => {
    const key = keyOf(side, name);
    const found = known.get(key) ?? (!playing.has(key) && isOnBench(side, name, incidents, bench));
    known.set(key, found);
    return found;
  };
  return incidents.map((incident) => {
    const { kind, side, player_name } = incident;
    if (kind !== 'card' || player_name === null) return incident;
    if (side === null) return isCoachCard(incident) ? marked(incident) : incident;
    return isCoach(side, player_name) ? marked(incident) : unmarked(incident);
  });
}

/**
 * Marks the coaches of stored incidents again after line-ups or coaches have changed. A mark that followed from the former ones is
 * decided anew; any other was the provider's.
 */
export function remarkCoaches(incidents: readonly Incident[], former: Bench, bench: Bench): Incident[] {
  if (!incidents.some(({ kind }) => kind === 'card')) return [...incidents];
  const plain = incidents.map(unmarked);
  const derived = markCoaches(plain, former);
  return markCoaches(
    incidents.map((incident, index) => (isCoachCard(derived[index]!) ? plain[index]! : incident)),
    bench,
  );
}

const keyOf = (side: Side, name: string) => `${side}|${foldName(name)}`;

function marked<T extends Unnumbered>(incident: T): T {
  if (isCoachCard(incident) && incident.player_participant_id === null) return incident;
  return { ...incident, player_participant_id: null, payload: { ...incident.payload, role: COACH } };
}

function unmarked<T extends Unnumbered>(incident: T): T {
  if (!isCoachCard(incident)) return incident;
  const { role: _role, ...payload } = incident.payload;
  return { ...incident, payload };
}

/** Returns the names that an incident has other than with a card. */
function namesInPlay({ kind, side, player_name, assist_name, payload }: Unnumbered): string[] {
  if (kind === 'card' || side === null) return [];
  const own = player_name === null ? [] : [keyOf(playerSide({ kind, side, payload })!, player_name)];
  const others = [assist_name, payload.player_in, payload.player_out].filter((name) => typeof name === 'string');
  return [...own, ...others.map((name) => keyOf(side, name))];
}

function isOnBench(side: Side, name: string, incidents: readonly Unnumbered[], bench: Bench): boolean {
  const key = keyOf(side, name);
  const lineup = bench.lineups.filter((one) => one.side === side);
  if (lineup.some(({ player_name }) => keyOf(side, player_name) === key)) return false;
  const isGiven = incidents.some(
    (one) => isCoachCard(one) && one.side === side && keyOf(side, one.player_name ?? '') === key,
  );
  if (isGiven) return true;
  if (lineup.some(({ player_name }) => isSamePerson(name, player_name))) return false;
  if (bench.isListed(side, name)) return true;
  return lineup.length > 0 && bench.coaches.some((one) => one.side === side && isSamePerson(name, one.coach_name));
}

/** Whether one of the names is the other one in full or abbreviated. */
function isSamePerson(a: string, b: string): boolean {
  const [one, other] = [readName(a), readName(b)];
  if (one.folded === other.folded) return true;
  const fits = (written: typeof one, full: string) => matchName(written, full.split(' ')) >= FIT.abbreviated;
  return fits(one, other.folded) || fits(other, one.folded);
}

// ---- players whom only cards of an update name: any of them may be a coach, who gets no participant

/** The change of an update whose stored blocks are loaded. */
interface LoadedChange {
  update: MatchUpdate;
  refs: ResolvedRefs;
  before: { scheduled_start: string } | null;
  storedBlocks: StoredBlocks;
  playerId: PlayerId;
  isListedCoach: Bench['isListed'];
}

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
export async function resolveCarded(lookup: EntityLookup, changes: readonly LoadedChange[]): Promise<void> {
  const wanted = new Map<PlayerRef, ParticipantDescriptor>();
  for (const change of changes) {
    const carded = cardedPlayers(change.update);
    if (carded.size === 0) continue;
    for (const ref of givenCoaches(change)) carded.delete(ref);
    const { provider, match } = change.update;
    const common = { provider, sport: match.sport, gender: match.tournament.gender, type: 'player' } as const;
    for (const ref of carded) wanted.set(ref, { ...common, ...ref });
  }
  if (wanted.size === 0) return;
  const ids = await resolveParticipants(lookup, [...wanted.values()]);
  for (const change of changes) {
    const { playerId } = change;
    change.playerId = (ref, side) => ids.get(wanted.get(ref)!) ?? playerId(ref, side);
  }
}

/** Returns the players whose cards are coaches' cards. */
function givenCoaches({ update: { match }, storedBlocks, isListedCoach }: LoadedChange): PlayerRef[] {
  const incidents = match.incidents!;
  const lineups = match.lineups?.map(({ side, player }) => ({ side, player_name: player.name }));
  const bench: Bench = {
    lineups: lineups ?? parseList<Bench['lineups'][number]>(storedBlocks.get('lineups')),
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
export async function findListedCoaches(client: Queryable, changes: readonly LoadedChange[]): Promise<void> {
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
function cardNames({ update: { match }, storedBlocks }: LoadedChange): string[] {
  const given = (match.incidents ?? []).flatMap(({ kind, player }) => (kind === 'card' && player ? [player.name] : []));
  const stored =
    match.lineups === undefined && match.coaches === undefined
      ? []
      : parseList<Incident>(storedBlocks.get('incidents')).flatMap(({ kind, player_name }) =>
          kind === 'card' && player_name !== null ? [player_name] : [],
        );
  return [...given, ...stored];
}
