/**
 * Rankings, players and results from Jeff Sackmann's tennis_atp and tennis_wta (github.com/JeffSackmann):
 * atp_players.csv with columns player_id, name_first, name_last, hand, dob, ioc, height, wikidata_id, and
 * atp_rankings_*.csv with ranking_date, rank, player, points, and tours in WTA files. Rankings give players by the ids
 * in a players file. That file is imported together with them, or was imported before.
 */
import { foldName } from '../../db/fold-name.ts';
import { identifyParticipant } from '../../identity/entity-keys.ts';
import type { RankingKind } from '../../rankings/index.ts';
import { parseCountry } from '../country-codes.ts';
import { type CsvRow, eachRow, integer, type Row } from '../csv.ts';
import { participantUpdate } from '../feed-updates.ts';
import { faultAt, type InputFile } from '../files.ts';
import { fileImporter, type Importer, type ImportItem, toItem } from '../importer.ts';
import { parseDay, RankingFiles, type ReadRow, readPlace } from '../ranking-lists/ranking-rows.ts';
import { readMatches } from './matches.ts';

interface Tour {
  tour: 'atp' | 'wta';
  gender: 'men' | 'women';
  kind: RankingKind;
}

const PLAYER_COLUMNS = ['player_id', 'name_first', 'name_last', 'dob', 'ioc'];
const RANKING_COLUMNS = ['ranking_date', 'rank', 'player', 'points'];
const HANDS: Record<string, string> = { R: 'right', L: 'left', A: 'ambidextrous' };
/** Plausible range in centimetres. Values outside it are mistakes. */
const [LEAST_HEIGHT, GREATEST_HEIGHT] = [120, 230];

const tennisImporter = ({ tour, gender, kind }: Tour): Importer => {
  const provider = `tennis-${tour}`;
  const isRankings = (name: string) => name.startsWith(`${tour}_rankings_`);
  const isMatches = (name: string) => name.startsWith(`${tour}_matches_`) && name.endsWith('.csv');
  return fileImporter({
    format: provider,
    provider,
    description: `Jeff Sackmann's tennis_${tour}: ${tour}_players.csv, ${tour}_rankings_*.csv, ${tour}_matches_*.csv`,
    expected: `${tour}_players.csv or files like ${tour}_rankings_current.csv and ${tour}_matches_2024.csv`,
    accepts: ({ name }) => name === `${tour}_players.csv` || isRankings(name) || isMatches(name),
    async *readFiles(files) {
      const isPlayers = ({ name }: InputFile) => name === `${tour}_players.csv`;
      for (const file of files.filter(isPlayers)) yield* readPlayers(file, provider, gender);
      const rankings = new RankingFiles(provider);
      for (const file of RankingFiles.inOrder(files.filter(({ name }) => isRankings(name))))
        yield* rankings.read(file, RANKING_COLUMNS, (row) => readRow(row, kind));
      for (const file of files.filter(({ name }) => isMatches(name))) yield* readMatches(file, { provider, gender });
    },
  });
};

export const tennisAtp = tennisImporter({ tour: 'atp', gender: 'men', kind: 'atp_singles' });
export const tennisWta = tennisImporter({ tour: 'wta', gender: 'women', kind: 'wta_singles' });

function readRow(row: Row, kind: RankingKind): ReadRow {
  const published_at = parseDay(row.ranking_date);
  if (published_at === undefined)
    return `the ranking_date ${JSON.stringify(row.ranking_date ?? '')} is not a day such as 20240610`;
  const place = readPlace(row);
  if (typeof place === 'string') return place;
  if (!row.player) return 'the player is missing';
  return { kind, published_at, entry: { ...place, who: { id: row.player } } };
}

async function* readPlayers(file: InputFile, provider: string, gender: Tour['gender']): AsyncGenerator<ImportItem> {
  const rows: CsvRow[] = [];
  yield* eachRow(file, PLAYER_COLUMNS, (row) => {
    rows.push(row);
    return undefined;
  });
  const namesakes = namesakesAmong(rows);
  for (const { row, position } of rows) {
    const name = fullName(row);
    if (!row.player_id || name === '') {
      yield faultAt(position, 'the player_id or the name is missing');
      continue;
    }
    const birth_date = namesakes.has(row.player_id) ? undefined : parseDay(row.dob);
    const country = parseCountry(row.ioc ?? '');
    const player = participantUpdate(provider, file, {
      id: row.player_id,
      type: 'player',
      sport: 'tennis',
      gender,
      name,
      ...(birth_date && { birth_date }),
      ...(country && { country }),
      extra: readExtra(row),
    });
    yield toItem(position, player);
  }
}

const fullName = ({ name_first, name_last }: Row) => [name_first, name_last].filter(Boolean).join(' ');

function readExtra({ hand, height, wikidata_id }: Row): Record<string, string | number> {
  const height_cm = integer(height);
  const plays = HANDS[hand ?? ''];
  return {
    ...(height_cm !== undefined && height_cm >= LEAST_HEIGHT && height_cm <= GREATEST_HEIGHT && { height_cm }),
    ...(plays && { plays }),
    ...(/^Q\d+$/u.test(wikidata_id ?? '') && { wikidata_id: wikidata_id! }),
  };
}

/**
 * Finds twins: people with different names, but the same birth date, initial and last name. Twins are distinguished by
 * id, without a birth date. Two entries with the same name and birth date are one person.
 */
function namesakesAmong(rows: readonly CsvRow[]): Set<string> {
  const byKey = new Map<string, Row[]>();
  for (const { row } of rows) {
    const birth_date = parseDay(row.dob);
    if (!birth_date || fullName(row) === '') continue;
    const { key } = identifyParticipant({ type: 'player', sport: 'tennis', name: fullName(row), birth_date });
    if (byKey.get(key)?.push(row) === undefined) byKey.set(key, [row]);
  }
  const namesakes = new Set<string>();
  for (const same of byKey.values())
    if (new Set(same.map((row) => foldName(fullName(row)))).size > 1)
      for (const row of same) namesakes.add(row.player_id!);
  return namesakes;
}
