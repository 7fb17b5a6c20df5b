/**
 * openfootball clubs: text files per country with each club's names, founding year, ground and city, and stadiums with
 * capacities. Reserve teams ("ii)") are separate clubs.
 */
import { foldName } from '../../db/fold-name.ts';
import { nationTeam } from '../../identity/merges.ts';
import { participantUpdate, venueUpdate } from '../feed-updates.ts';
import { faultAt, type InputFile, linesOrError, textDamage } from '../files.ts';
import { FirstOfEach } from '../first-of-each.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';

const PROVIDER = 'openfootball-clubs';

export const openfootballClubs = fileImporter({
  format: 'openfootball-clubs',
  provider: PROVIDER,
  description: 'openfootball clubs: eng.clubs.txt, eng.stadiums.txt and similar files',
  expected: 'files like eng.clubs.txt or eng.stadiums.txt',
  accepts: ({ name }) => /\.(clubs|stadiums)\.txt$/u.test(name),
  async *readFiles(files) {
    const seen = new FirstOfEach();
    for (const file of files) {
      const lines = await linesOrError(file);
      if (!Array.isArray(lines)) yield lines;
      else yield* file.name.endsWith('.clubs.txt') ? readClubs(file, lines, seen) : readStadiums(file, lines);
    }
  },
});

interface Line {
  text: string;
  number: number;
  indent: number;
}

/** "= Germany • Deutschland" -> Germany */
export function findHeading(lines: readonly string[]): string | undefined {
  const heading = lines.map((line) => /^=\s+([^=\s•][^•]*)/u.exec(line)?.[1]).find((text) => text !== undefined);
  return heading?.trim();
}

/** Returns lines without comments; leaves out empty lines and headings. */
function splitLines(all: readonly string[]): { heading: string | undefined; lines: Line[] } {
  const heading = findHeading(all);
  const lines = all.map((written, index) => {
    const text = written.replace(/#.*$/u, '');
    return { text: text.trim(), number: index + 1, indent: text.length - text.trimStart().length };
  });
  return { heading, lines: lines.filter(({ text }) => text !== '' && !text.startsWith('=')) };
}

const findCountry = (file: InputFile, heading: string | undefined) =>
  nationTeam(heading ?? '')?.country ?? nationTeam(file.folder)?.country;

interface Club {
  name: string;
  number: number;
  aliases: string[];
  extra: { founded?: number; stadium?: string; city?: string };
}

function* readClubs(file: InputFile, written: readonly string[], seen: FirstOfEach): Generator<ImportItem> {
  const { heading, lines } = splitLines(written);
  const country = findCountry(file, heading);
  const unknown = country === undefined ? `the country ${heading ?? file.folder} is not known` : undefined;
  const clubs: Club[] = [];
  for (const line of lines) {
    const damage =
      textDamage(line.text) ??
      (isClub(line) ? unknown : undefined) ??
      (line.text.startsWith('|') && clubs.length === 0 && country ? 'a name without a club above it' : undefined);
    if (damage !== undefined) {
      yield faultAt(`${file.path}:${line.number}`, damage);
    } else if (line.text.startsWith('|')) {
      clubs.at(-1)?.aliases.push(...splitNames(line.text));
    } else if (isClub(line)) {
      clubs.push(readClub(line));
    } // The rest are addresses.
  }
  const taken = namesTaken(clubs);
  for (const club of clubs) {
    const own = club.aliases.filter((alias) => taken.get(foldName(alias)) === 1);
    const identity = { type: 'team', sport: 'football', country: country!, name: club.name } as const;
    const isFirst = seen.isFirst(identity);
    const update = participantUpdate(PROVIDER, file, {
      ...identity,
      ...(own.length > 0 && { aliases: [...new Set(own)].map((name) => ({ name })) }),
      ...(isFirst && Object.keys(club.extra).length > 0 && { extra: club.extra }),
    });
    yield toItem(`${file.path}:${club.number}`, update);
  }
}

const isClub = ({ text, indent }: Line) =>
  /^ii+\)/u.test(text) || indent === 0 || (indent === 1 && text.includes(',') && !text.includes('//'));

/** Counts how many clubs in the file have each name, because a shared name does not identify a club. */
function namesTaken(clubs: readonly Club[]): Map<string, number> {
  const taken = new Map<string, number>();
  for (const club of clubs) {
    for (const name of new Set([club.name, ...club.aliases].map(foldName))) taken.set(name, (taken.get(name) ?? 0) + 1);
  }
  return taken;
}

/** Reads "Bayern München, 1900, @ Allianz Arena, München"; a span of years in brackets marks a dissolved club. */
function readClub({ text, number }: Line): Club {
  const [first = '', ...aliases] = text.replace(/^ii+\)\s*/u, '').split('|');
  const [name = '', ...fields] = first.split(',').map((field) => field.trim());
  const extra: Club['extra'] = {};
  for (const field of fields) {
    if (/^\d{4}$/u.test(field)) extra.founded = Number(field);
    else if (field.startsWith('@')) extra.stadium = field.slice(1).trim();
    else if (field !== '') extra.city ??= plainCity(field);
  }
  if (extra.city === '') delete extra.city;
  return {
    name: name
      .replace(/\s*\(\d{4}-(?:\d{4})?\)\s*$/u, '')
      .replace(/\s+@.*/su, '')
      .trim(),
    number,
    aliases: splitNames(aliases.join('|')),
    extra,
  };
}

/** "London › Chelsea (Fulham)" -> London */
const plainCity = (written: string) => written.replace(/[›(].*/su, '').trim();

/** Splits names at bars, and removes language tags. */
const splitNames = (text: string) =>
  text
    .split('|')
    .map((name) => name.replace(/\[[a-z]{2}\]/gu, '').trim())
    .filter((name) => name !== '' && foldName(name) !== '');

function* readStadiums(file: InputFile, written: readonly string[]): Generator<ImportItem> {
  const { heading, lines } = splitLines(written);
  const country = findCountry(file, heading);
  for (const line of lines) {
    if (line.indent > 0) continue; // Indented lines are more names, and addresses.
    const position = `${file.path}:${line.number}`;
    if (!country) {
      yield faultAt(position, `the country ${heading ?? file.folder} is not known`);
      continue;
    }
    const [written, ...fields] = line.text
      .replaceAll('$', '')
      .split(',')
      .map((field) => field.trim());
    // The line may have years and a capacity, as in "Estadio Vicente Calderón (-2017) 55_005".
    const name = written?.replace(/\s*\((?:\d{4})?-(?:\d{4})?\).*$/u, '').replace(/\s+\d[\d_]*$/u, '');
    if (!name || textDamage(line.text) !== undefined) {
      yield faultAt(position, 'a stadium without a readable name');
      continue;
    }
    const capacity = fields.find(
      (field) => /^\d{1,3}(_\d{3})*$/u.test(field) && (field.includes('_') || field.length > 4),
    );
    const city = fields.find((field) => /^\p{L}/u.test(field));
    const venue = venueUpdate(PROVIDER, file, {
      name,
      country,
      sport: 'football',
      ...(city && { city: plainCity(city) }),
      ...(capacity && { capacity: Number(capacity.replaceAll('_', '')) }),
    });
    yield toItem(position, venue);
  }
}
