/**
 * openfootball players: a text file per country, with a line per player that has position, height, date and place of
 * birth.
 */
import { nationTeam } from '../../identity/merges.ts';
import { isDay } from '../../providers/index.ts';
import { participantUpdate } from '../feed-updates.ts';
import { faultAt, type InputFile, linesOrError, textDamage } from '../files.ts';
import { FirstOfEach } from '../first-of-each.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';
import { findHeading } from './clubs.ts';

const PROVIDER = 'openfootball-players';

export const openfootballPlayers = fileImporter({
  format: 'openfootball-players',
  provider: PROVIDER,
  description: 'openfootball players: es.players.txt and similar files',
  expected: 'files like es.players.txt',
  accepts: ({ name }) => name.endsWith('.players.txt'),
  async *readFiles(files) {
    const seen = new FirstOfEach();
    for (const file of files) {
      const lines = await linesOrError(file);
      if (Array.isArray(lines)) yield* readPlayers(file, lines, seen);
      else yield lines;
    }
  },
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function* readPlayers(file: InputFile, lines: readonly string[], seen: FirstOfEach): Generator<ImportItem> {
  const heading = findHeading(lines);
  const country = nationTeam(heading ?? '')?.country ?? nationTeam(file.folder)?.country;
  for (const [index, written] of lines.entries()) {
    const line = written.replace(/#.*$/u, '').trim();
    if (line === '' || line.startsWith('=')) continue;
    const position = `${file.path}:${index + 1}`;
    const player = readPlayer(line);
    if (!player || !country) {
      const detail = player
        ? `the country ${heading ?? file.folder} is not known`
        : `is not "Name, position, height, b. date": ${line.slice(0, 80)}`;
      yield faultAt(position, detail);
      continue;
    }
    const { name, birth_date, ...extra } = player;
    const identity = { type: 'player', sport: 'football', name, birth_date, country } as const;
    yield toItem(
      position,
      participantUpdate(PROVIDER, file, { ...identity, ...(seen.isFirst(identity) && { extra }) }),
    );
  }
}

/** Reads a line such as "Lamine Yamal, F, 1.80 m, b. 13 Jul 2007 @ Esplugues de Llobregat". */
function readPlayer(line: string) {
  const parts =
    /^(.+?),\s*([A-Z](?:[,|][A-Z])*)\s*,\s*(?:(\d)\.(\d\d) m|-)\s*,\s*b\. (\d{1,2}) ([A-Z][a-z]{2}) (\d{4})(?:\s*@\s*(.+))?$/u.exec(
      line,
    );
  if (!parts || textDamage(line) !== undefined) return undefined;
  const [, name, position, metres, centimetres, day, month, year, place] = parts;
  const birth_date = `${year}-${String(MONTHS.indexOf(month!) + 1).padStart(2, '0')}-${day!.padStart(2, '0')}`;
  if (!isDay(birth_date)) return undefined;
  return {
    name: name!.trim(),
    birth_date,
    position: position!.replaceAll('|', ','),
    ...(metres && { height_cm: Number(metres) * 100 + Number(centimetres) }),
    ...(place && { birth_place: place.trim() }),
  };
}
