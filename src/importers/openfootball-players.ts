/** openfootball players: a text file per country, a line per player with position, height, date and place of birth. */
import { nationTeam } from '../identity/merges/merges.ts';
import { ImportError, type InputFile, inputFiles, wholeLines } from './files.ts';
import { FirstOfEach } from './first-of-each.ts';
import type { Importer, ImportItem } from './importer.ts';
import { isDay } from './local-time.ts';
import { headingOf } from './openfootball-clubs.ts';

const PROVIDER = 'openfootball-players';

export const openfootballPlayers: Importer = {
  format: 'openfootball-players',
  provider: PROVIDER,
  description: 'openfootball players: es.players.txt and similar files',
  async *read(path, meter) {
    const files = await inputFiles(
      path,
      'files like es.players.txt',
      ({ name }) => name.endsWith('.players.txt'),
      meter,
    );
    let any = false;
    const seen = new FirstOfEach();
    for (const file of files) {
      for await (const item of readFile(file, seen)) {
        any ||= item.kind === 'update';
        yield item;
      }
    }
    if (!any) throw new ImportError(`${path}: no players in these files`);
  },
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

async function* readFile(file: InputFile, seen: FirstOfEach): AsyncGenerator<ImportItem> {
  const lines = await wholeLines(file);
  const heading = headingOf(lines);
  const country = nationTeam(heading ?? '')?.country ?? nationTeam(file.folder)?.country;
  if (!country) {
    yield { kind: 'fault', position: file.path, detail: `the country ${heading ?? file.folder} is unknown` };
    return;
  }
  for (const [index, written] of lines.entries()) {
    const line = written.replace(/#.*$/u, '').trim();
    if (line === '' || line.startsWith('=')) continue;
    const position = `${file.path}:${index + 1}`;
    const player = readPlayer(line);
    if (!player) {
      yield { kind: 'fault', position, detail: `is not "Name, position, height, b. date": ${line.slice(0, 80)}` };
      continue;
    }
    const { name, birth_date, ...extra } = player;
    const identity = { type: 'player', sport: 'football', name, birth_date, country } as const;
    yield {
      kind: 'update',
      position,
      update: {
        schema: 1,
        provider: PROVIDER,
        observed_at: file.observedAt,
        kind: 'participant',
        participant: { ...identity, ...(seen.isFirst(identity) && { extra }) },
      },
    };
  }
}

/** "Lamine Yamal, F, 1.80 m, b. 13 Jul 2007 @ Esplugues de Llobregat" */
function readPlayer(line: string) {
  const parts =
    /^(.+?),\s*([A-Z](?:[,|][A-Z])*)\s*,\s*(?:(\d)\.(\d\d) m|-)\s*,\s*b\. (\d{1,2}) ([A-Z][a-z]{2}) (\d{4})(?:\s*@\s*(.+))?$/u.exec(
      line,
    );
  if (!parts || line.includes('\0')) return undefined;
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
