/** Reads the files that come with openfootball's World Cups: stadiums (with coordinates), and squads (with dates of birth). */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nationTeam } from '../../identity/merges.ts';
import { findZone, isDay, isRecord } from '../../providers/index.ts';
import type { League } from '../../providers/openfootball/index.ts';
import { dataRows } from '../../wire/data-file.ts';
import { parseCountry } from '../country-codes.ts';
import { participantUpdate, venueUpdate } from '../feed-updates.ts';
import { faultAt, type InputFile } from '../files.ts';
import { type ImportItem, toItem } from '../importer.ts';
import { readJson } from '../json.ts';

const PROVIDER = 'openfootball';

interface Stadium {
  city?: string;
  /** Two letters, lower case. Present only if a cup has several hosts. */
  cc?: string;
  name?: string;
  capacity?: number;
  coords?: string;
}
interface StadiumFile {
  name?: string;
  stadiums: Stadium[];
}

/** World Cup host countries; 2002 and 2026 had several. */
const HOSTS = dataRows('identity/world-cup-hosts.csv', ['season', 'city', 'country']);

function findHost(season: string, place: string): string | undefined {
  const hosts = HOSTS.filter((host) => host.season === season);
  return (hosts.find(({ city }) => city === place) ?? hosts.find(({ city }) => city === ''))?.country;
}

export interface Ground {
  venue: { name: string; city: string; country: string };
  zone: string | undefined;
}

/**
 * Finds a cup's grounds. A match gives the ground as "Stadium, City", or gives only a city, for which the cup's
 * stadiums file names the stadium.
 */
export class Grounds {
  #byCity = new Map<string, Stadium>();

  constructor(stadiums: readonly Stadium[]) {
    for (const stadium of stadiums) if (stadium.city) this.#byCity.set(stadium.city, stadium);
  }

  of(written: unknown, season: string): Ground | undefined {
    if (typeof written !== 'string' || written.trim() === '') return undefined;
    const comma = written.lastIndexOf(',');
    const place = (comma < 0 ? written : written.slice(comma + 1)).trim();
    const listed = this.#byCity.get(place);
    const city = plainCity(place);
    const country = listed?.cc?.toUpperCase() ?? findHost(season, city);
    const name = comma > 0 ? written.slice(0, comma).trim() : listed?.name;
    if (!country || !name) return undefined;
    return { venue: { name, city, country }, zone: findZone(country, city) };
  }
}

/** Returns Moscow for "Moscow (1)", and Arlington for "Dallas (Arlington)", because the stadium is in Arlington. */
function plainCity(city: string): string {
  const [, before = city, inside] = /^(.*\S)\s*\((.*)\)$/u.exec(city) ?? [];
  return inside === undefined || /^\d+$/u.test(inside) ? before : inside;
}

/** Reads the grounds for the cup in `file` from the stadiums file in the same folder, if there is one. */
export async function groundsBeside(file: InputFile): Promise<Grounds> {
  for (const name of ['worldcup.stadiums.json', 'worldcup.stadiums.json.gz']) {
    const path = join(dirname(file.path), name);
    if (!(await stat(path).catch(() => undefined))) continue;
    // A fault in this file is reported when the file itself is imported.
    const json = await readJson({ ...file, path });
    return new Grounds(!json.fault && isStadiums(json.value) ? json.value.stadiums : []);
  }
  return new Grounds([]);
}

export const isStadiums = (content: unknown): content is StadiumFile =>
  isRecord(content) && Array.isArray(content.stadiums);

export function* readStadiums(file: InputFile, { name, stadiums }: StadiumFile): Generator<ImportItem> {
  const season = /\d{4}/u.exec(name ?? file.folder)?.[0] ?? '';
  for (const [index, stadium] of stadiums.entries()) {
    const position = `${file.path}#${index + 1}`;
    const city = stadium.city && plainCity(stadium.city);
    const country = stadium.cc?.toUpperCase() ?? (city && findHost(season, city));
    // For "Otkritie Arena (Spartak Stadium)", the matches use the name in brackets.
    const listed = /^(.*\S)\s*\((.*)\)$/u.exec(stadium.name ?? '')?.[2] ?? stadium.name;
    if (!listed || !city || !country) {
      yield faultAt(position, 'a stadium without name, city or host country');
      continue;
    }
    const coordinates = readCoordinates(stadium.coords ?? '');
    const venue = venueUpdate(PROVIDER, file, {
      name: listed,
      city,
      country,
      ...(stadium.capacity && { capacity: stadium.capacity }),
      ...coordinates,
      sport: 'football',
    });
    yield toItem(position, venue);
  }
}

/** Reads coordinates such as 25°57'29"N 80°14'20"W, or 42.091°N 71.264°W. */
export function readCoordinates(written: string): { latitude: number; longitude: number } | undefined {
  const angle = `(\\d+(?:\\.\\d+)?)°\\s*(?:(\\d+(?:\\.\\d+)?)'\\s*)?(?:(\\d+(?:\\.\\d+)?)"\\s*)?`;
  const parts = new RegExp(`^\\s*${angle}([NS])\\s+${angle}([EW])\\s*$`, 'u').exec(written);
  if (!parts) return undefined;
  const degrees = (from: number, negative: string) => {
    const value = Number(parts[from]) + Number(parts[from + 1] ?? 0) / 60 + Number(parts[from + 2] ?? 0) / 3600;
    return Number((parts[from + 3] === negative ? -value : value).toFixed(6));
  };
  const [latitude, longitude] = [degrees(1, 'S'), degrees(5, 'W')];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

interface Squad {
  name: string;
  players: {
    name?: string;
    date_of_birth?: string;
    pos?: string;
    number?: number;
    club?: { name?: string; country?: string };
  }[];
}

export const isSquads = (content: unknown): content is Squad[] =>
  Array.isArray(content) &&
  content.length > 0 &&
  content.every((squad) => Array.isArray(squad?.players) && typeof squad.name === 'string');

const POSITIONS: Record<string, string> = { GK: 'G', DF: 'D', MF: 'M', FW: 'F' };

/** @param league absent if the file names no league */
export function* readSquads(file: InputFile, squads: readonly Squad[], league?: League): Generator<ImportItem> {
  for (const squad of squads) {
    const country = nationTeam(squad.name)?.country;
    for (const [index, player] of squad.players.entries()) {
      const position = `${file.path}#${squad.name}/${index + 1}`;
      if (!player.name?.trim() || !isDay(player.date_of_birth ?? '')) {
        yield faultAt(position, 'a player without name or date of birth');
        continue;
      }
      const clubCountry = player.club?.country && parseCountry(player.club.country);
      const line = player.pos && (POSITIONS[player.pos] ?? player.pos);
      const extra = {
        ...(line && { position: line }),
        ...(player.club?.name && { club: player.club.name }),
        ...(clubCountry && { club_country: clubCountry }),
      };
      const entry = league && {
        tournament: {
          name: league.tournament.name,
          country: league.tournament.country,
          gender: league.tournament.gender,
        },
        season: { label: league.season },
        team: { name: squad.name, country: country ?? 'INT' },
        ...(Number.isInteger(player.number) && { shirt_number: String(player.number) }),
        ...(line && { position: line }),
      };
      const update = participantUpdate(PROVIDER, file, {
        type: 'player',
        sport: 'football',
        name: player.name.trim(),
        birth_date: player.date_of_birth!,
        ...(country && { country }),
        extra,
        ...(entry && { squads: [entry] }),
      });
      yield toItem(position, update);
    }
  }
}
