/**
 * Reads the stadiums that a Euro file lists in comments: "# Berlin, Olympiastadion (Olympiastadion Berlin), 71_000".
 */
import { nationTeam } from '../../identity/merges.ts';

interface Ground {
  name: string;
  city: string;
  country: string;
  capacity?: number;
}
export interface TextGrounds {
  /** @param written "Köln", or "Paris (Stade de France)" */
  of(written: string): Ground | undefined;
}

/** Hosts for cups whose stadium lists lack a country. */
const HOSTS: Record<string, string> = { 'Euro 2016': 'FR', 'Euro 2024': 'DE' };

export function readHeader(lines: readonly string[], title: string): TextGrounds {
  const grounds: Ground[] = [];
  const from = lines.findIndex((line) => /^#\s*Stadiums:/u.test(line));
  for (const line of from < 0 ? [] : lines.slice(from + 1)) {
    const [place, name, capacity] = line
      .replace(/^#\s*/u, '')
      .split(',')
      .map((part) => part.trim());
    if (!line.startsWith('#') || !place || !name) break;
    const [, city, inside = ''] = /^(.*\S)\s*\((.+)\)$/u.exec(place) ?? [];
    const nation = nationTeam(inside);
    const country = nation?.country ?? HOSTS[title];
    if (!country) continue;
    grounds.push({
      city: (nation && city) ?? place.replace(/\s*\(.*/u, ''),
      name: name.replace(/\s*\(.*/u, ''),
      country,
      ...(capacity && /^[\d_]+$/u.test(capacity) && { capacity: Number(capacity.replaceAll('_', '')) }),
    });
  }
  return {
    of(written) {
      const [, city = written, named] = /^(.*\S)\s*\((.+)\)$/u.exec(written) ?? [];
      const there = grounds.filter((ground) => ground.city === city);
      return named ? there.find(({ name }) => name === named) : there.length === 1 ? there[0] : undefined;
    },
  };
}
