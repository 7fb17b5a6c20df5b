/** Club names by season, from teaminfo.csv. Most of them change with the sponsor. */
import { CLUBS, EUROLEAGUE } from '../../providers/euroleague/index.ts';
import type { CodedTeam } from '../../providers/index.ts';
import { csvUpdates, integer } from '../csv.ts';
import { participantUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import { type ImportItem, toItem } from '../importer.ts';

interface NamedClub {
  club: CodedTeam;
  position: string;
  file: InputFile;
  /** Names by the season's first year. */
  names: Map<number, string>;
}

/** Yields one update for each club, with all its names in the files. */
export async function* readClubNames(files: readonly InputFile[]): AsyncGenerator<ImportItem> {
  const clubs = new Map<string, NamedClub>();
  for (const file of files) {
    yield* csvUpdates(file, ['season', 'team_code', 'team_name'], ({ row, position }) =>
      addName(clubs, row, position, file),
    );
  }
  for (const named of clubs.values()) yield toItem(named.position, toUpdate(named));
}

/** @returns why the row cannot be read */
function addName(
  clubs: Map<string, NamedClub>,
  row: Record<string, string>,
  position: string,
  file: InputFile,
): string | undefined {
  const season = integer(row.season);
  if (season === undefined) return `the season ${JSON.stringify(row.season ?? '')} is not a year`;
  const club = CLUBS.find(row.team_code ?? '', season);
  if (!club) return CLUBS.unknown(row.team_code ?? '');
  const name = (row.team_name ?? '').replace(/\s+/gu, ' ');
  if (name === '') return `the team ${row.team_code} has no name`;
  const named = clubs.get(club.name) ?? { club, position, file, names: new Map() };
  clubs.set(club.name, named);
  const other = named.names.get(season);
  if (other !== undefined && other !== name)
    return `${row.team_code} has a second name in ${season}: ${JSON.stringify(other)}`;
  named.names.set(season, name);
  return undefined;
}

const toUpdate = ({ club, file, names }: NamedClub) =>
  participantUpdate(EUROLEAGUE, file, {
    type: 'team' as const,
    sport: 'basketball',
    ...club,
    former_names: spans(club, names),
  });

/**
 * Returns a club's former names. Consecutive seasons with the same name are joined. A season is from July to June. The
 * current name is left out.
 */
function spans({ name: ownName, name_ru }: CodedTeam, names: ReadonlyMap<number, string>) {
  const found: { name: string; name_ru: string; first: number; last: number }[] = [];
  for (const [season, name] of [...names].sort(([a], [b]) => a - b)) {
    const before = found.at(-1);
    if (before?.name === name && before.last === season - 1) before.last = season;
    else found.push({ name, name_ru, first: season, last: season });
  }
  return found
    .filter(({ name }) => name !== ownName)
    .map(({ name, name_ru, first, last }) => ({ name, name_ru, from: `${first}-07-01`, to: `${last + 1}-06-30` }));
}
