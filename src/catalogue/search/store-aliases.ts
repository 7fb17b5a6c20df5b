/** Applies the alias lists to the catalogue, so that search finds existing entities by aliases. */
import { queueRefresh } from '../../apply/index.ts';
import { foldName } from '../../db/fold-name.ts';
import type { Queryable } from '../../db/postgres.ts';
import { noIds } from '../../identity/entities.ts';
import { type AliasRow, type RussianName, replaceAliases, setRussianNames } from '../../identity/index.ts';
import type { AliasLists, Listed, ListedPlayer, ListedTeam, ListedTournament } from './alias-lists.ts';

export interface AppliedLists {
  /** Number of aliases that were added or removed, and of Russian names that changed. */
  changed: number;
  /** Players whose line in the list has aliases. A Russian name alone does not make a player prominent. */
  listedPlayers: number[];
  /** List lines whose entity is not in the catalogue. */
  unknown: string[];
}

/** A list entry, with one of the entities that it refers to. */
interface Found<T> {
  /** The entry's position in the list. */
  index: number;
  entry: T;
  id: number;
}

const CYRILLIC = /[а-яё]/iu;

/** Replaces the stored aliases, and deletes those that are no longer listed. An entry never creates an unknown entity. */
export async function applyAliasLists(client: Queryable, lists: AliasLists): Promise<AppliedLists> {
  const { teams, players, tournaments, russian } = lists;
  const [foundTeams, foundPlayers, foundTournaments] = [
    await findTeams(client, teams),
    await findPlayers(client, players),
    await findTournaments(client, tournaments),
  ];
  const namedParticipants = [...toNames(await findTeams(client, russian.teams)), ...toNames(foundPlayers)];
  const namedTournaments = toNames(await findTournaments(client, russian.tournaments));
  const ofParticipants = [...toRows(foundTeams), ...toRows(foundPlayers), ...namedParticipants.map(toAlias)];
  const ofTournaments = [
    ...toRows(foundTournaments),
    ...namedTournaments.map(toAlias),
    ...(await tournamentNames(client)),
  ];
  return {
    changed:
      (await replaceAliases(client, 'participant_search_alias', ofParticipants)) +
      (await replaceAliases(client, 'tournament_alias', ofTournaments)) +
      (await nameInRussian(client, 'participant', namedParticipants)) +
      (await nameInRussian(client, 'tournament', namedTournaments)),
    listedPlayers: [...new Set(foundPlayers.filter(({ entry }) => entry.isFamous).map(({ id }) => id))],
    unknown: [
      ...listUnknown(teams, foundTeams),
      ...listUnknown(players, foundPlayers),
      ...listUnknown(tournaments, foundTournaments),
    ],
  };
}

/** Returns each entity's Russian name. If an entity has several entries, the first one counts. */
function toNames(found: readonly Found<{ nameRu: string }>[]): RussianName[] {
  const firsts = new Map<number, Found<{ nameRu: string }>>();
  for (const one of found)
    if (one.index < (firsts.get(one.id)?.index ?? Number.POSITIVE_INFINITY)) firsts.set(one.id, one);
  return [...firsts.values()].map(({ id, entry }) => ({ id, nameRu: entry.nameRu }));
}

const toAlias = ({ id, nameRu }: RussianName): AliasRow => aliasRow(id, nameRu);

/** Sets entities' Russian names, and queues the cards that show them. @returns how many names changed */
async function nameInRussian(
  client: Queryable,
  table: 'participant' | 'tournament',
  named: readonly RussianName[],
): Promise<number> {
  const ids = await setRussianNames(client, table, named);
  // Cards are queued only for participants, because cards show no Russian tournament names.
  if (table === 'participant' && ids.length > 0) await queueRefresh(client, { ...noIds(), participant: new Set(ids) });
  return ids.length;
}

function listUnknown(entries: readonly { line: string | null }[], found: readonly Found<unknown>[]): string[] {
  const known = new Set(found.map(({ index }) => index));
  return entries.flatMap(({ line }, index) => (line === null || known.has(index) ? [] : [line]));
}

const toRows = (found: readonly Found<Listed>[]): AliasRow[] =>
  found.flatMap(({ entry, id }) => entry.aliases.map((name) => aliasRow(id, name)));

const aliasRow = (id: number, name: string): AliasRow => ({
  id,
  key: foldName(name),
  name,
  locale: CYRILLIC.test(name) ? 'ru' : 'en',
});

async function find<T extends object>(client: Queryable, sql: string, entries: readonly T[]): Promise<Found<T>[]> {
  const { rows } = await client.query<{ index: number; id: number }>(sql, [
    JSON.stringify(entries.map((entry, index) => ({ ...entry, index }))),
  ]);
  return rows.flatMap(({ index, id }) => {
    const entry = entries[index];
    return entry === undefined ? [] : [{ index, entry, id }];
  });
}

const findTeams = <T extends Pick<ListedTeam, 'sport' | 'gender' | 'key'>>(client: Queryable, teams: readonly T[]) =>
  find(
    client,
    `SELECT l.index, p.id FROM json_to_recordset($1) AS l (index int, sport text, gender text, key text)
     JOIN participant p ON p.type = 'team' AND p.key = l.key AND (l.sport IS NULL OR p.sport = l.sport)
       AND (l.gender IS NULL OR p.gender = l.gender)`,
    teams,
  );

const findPlayers = (client: Queryable, players: readonly ListedPlayer[]) =>
  find(
    client,
    `SELECT DISTINCT l.index, p.id FROM json_to_recordset($1) AS l (index int, sport text, "birthDate" date, name text)
     JOIN participant p ON p.type = 'player' AND p.sport = l.sport AND p.birth_date = l."birthDate"
     JOIN participant_alias a ON a.participant_id = p.id AND a.key = l.name`,
    players,
  );

const findTournaments = <T extends Omit<ListedTournament, keyof Listed>>(
  client: Queryable,
  tournaments: readonly T[],
) =>
  find(
    client,
    `SELECT l.index, t.id FROM json_to_recordset($1) AS l (index int, sport text, country text, gender text, key text)
     JOIN tournament t ON t.sport = l.sport AND t.country = l.country AND t.gender = l.gender AND t.key = l.key`,
    tournaments,
  );

/** Returns the tournaments' display names as aliases, because providers give tournaments no aliases. */
async function tournamentNames(client: Queryable): Promise<AliasRow[]> {
  const { rows } = await client.query<{ id: number; name: string; name_ru: string | null }>(
    'SELECT id, name, name_ru FROM tournament',
  );
  return rows.flatMap(({ id, name, name_ru }) =>
    [name, ...(name_ru === null ? [] : [name_ru])].map((one) => aliasRow(id, one)),
  );
}
