/** Resolves tournaments and seasons that updates refer to. */
import { foldName } from '../db/fold-name.ts';
import type { Queryable } from '../db/postgres.ts';
import {
  cacheKey,
  type EntityLookup,
  externalId,
  NAMED,
  type NamedRow,
  recall,
  rememberExternalId,
  rename,
} from './entities.ts';
import { identifyTournament } from './entity-keys.ts';

export interface TournamentDescriptor {
  provider: string;
  sport: string;
  country: string;
  gender: string;
  name: string;
  id?: string | undefined;
  name_ru?: string | undefined;
}

export interface SeasonDescriptor {
  label: string;
  start_date?: string | undefined;
  end_date?: string | undefined;
}

export async function resolveTournament(lookup: EntityLookup, descriptor: TournamentDescriptor): Promise<number> {
  const key = cacheKey('tournament', descriptor);
  const known = recall(lookup, key);
  if (known !== undefined) return known;
  const { client } = lookup;
  const identity = identifyTournament(descriptor);
  const values = [descriptor.sport, identity.country, identity.gender, identity.key];
  const find = async (where: string, bound: unknown[]) =>
    (await client.query<NamedRow>(`SELECT ${NAMED.tournament} FROM tournament WHERE ${where}`, bound)).rows[0];
  const findByIdentity = () => find('sport = $1 AND country = $2 AND gender = $3 AND key = $4', values);
  const id = await externalId(lookup, 'tournament', descriptor);
  const byId = id === undefined ? undefined : await find('id = $1 AND sport = $2', [id, descriptor.sport]);
  let row = byId ?? (await findByIdentity());
  if (row === undefined) {
    const made = await client.query<{ id: number }>(
      `INSERT INTO tournament (sport, country, gender, key, name, name_ru, provenance)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (sport, country, gender, key) DO NOTHING RETURNING id`,
      [
        ...values,
        identity.name,
        descriptor.name_ru ?? null,
        { name: descriptor.provider, ...(descriptor.name_ru && { name_ru: descriptor.provider }) },
      ],
    );
    for (const { id: fresh } of made.rows) lookup.changed.tournament.add(fresh);
    row = (await findByIdentity())!;
  }
  const isSettled = await rename(lookup, 'tournament', row, { ...descriptor, name: identity.name }, byId !== undefined);
  if (lookup.changed.tournament.has(row.id)) await storeTournamentNames(client, row.id);
  if (byId === undefined) await rememberExternalId(lookup, 'tournament', descriptor, row.id);
  if (isSettled) lookup.staged.set(key, { entity: 'tournament', id: row.id });
  return row.id;
}

interface SeasonRow {
  id: number;
  start_date: string | null;
  end_date: string | null;
}

export async function resolveSeason(
  lookup: EntityLookup,
  tournamentId: number,
  season: SeasonDescriptor,
): Promise<number> {
  const key = cacheKey('season', { tournamentId, ...season });
  const known = recall(lookup, key);
  if (known !== undefined) return known;
  const { client } = lookup;
  const find = async () =>
    (
      await client.query<SeasonRow>(
        'SELECT id, start_date::text, end_date::text FROM season WHERE tournament_id = $1 AND season_label = $2',
        [tournamentId, season.label],
      )
    ).rows[0];
  let row = await find();
  if (row === undefined) {
    await client.query(
      'INSERT INTO season (tournament_id, season_label, start_date, end_date) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [tournamentId, season.label, season.start_date ?? null, season.end_date ?? null],
    );
    row = (await find())!;
  }
  const { start_date = row.start_date, end_date = row.end_date } = season;
  if (start_date !== row.start_date || end_date !== row.end_date)
    await client.query('UPDATE season SET start_date = $2, end_date = $3 WHERE id = $1', [
      row.id,
      start_date,
      end_date,
    ]);
  lookup.staged.set(key, { entity: 'season', id: row.id });
  return row.id;
}

/** Makes a tournament's display names searchable at once. Its other names become searchable with the next search refresh. */
async function storeTournamentNames(client: Queryable, id: number): Promise<void> {
  const { rows } = await client.query<{ name: string; name_ru: string | null }>(
    'SELECT name, name_ru FROM tournament WHERE id = $1',
    [id],
  );
  const names = rows.flatMap(({ name, name_ru }) => [
    { name, locale: 'en' },
    ...(name_ru === null ? [] : [{ name: name_ru, locale: 'ru' }]),
  ]);
  for (const { name, locale } of names)
    await client.query(
      'INSERT INTO tournament_alias (tournament_id, key, name, locale) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [id, foldName(name), name, locale],
    );
}
