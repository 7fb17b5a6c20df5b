/** Stadiums with coordinates, capacity, city and home club: jokecamp's stadiums-with-GPS-coordinates.csv. */
import { nationTeam } from '../../identity/merges.ts';
import { csvRows, decimal, integer, isRow } from '../csv.ts';
import { inputFiles } from '../files.ts';
import type { Importer } from '../importer.ts';

const PROVIDER = 'stadium-coordinates';

export const venues: Importer = {
  format: 'venues',
  provider: PROVIDER,
  description: 'CSV with columns Team, FDCOUK, City, Stadium, Capacity, Latitude, Longitude, Country',
  async *read(path, meter) {
    const files = await inputFiles(path, 'a CSV file of stadiums', ({ name }) => name.endsWith('.csv'), meter);
    for (const file of files) {
      for await (const item of csvRows(file, ['Team', 'City', 'Stadium', 'Latitude', 'Longitude', 'Country'])) {
        if (!isRow(item)) {
          yield item;
          continue;
        }
        const { row, position } = item;
        const country = nationTeam(row.Country ?? '')?.country;
        const [latitude, longitude] = [decimal(row.Latitude), decimal(row.Longitude)];
        if (!row.Stadium || !country) {
          yield { kind: 'fault', position, detail: 'the stadium or its country is missing' };
          continue;
        }
        const capacity = integer(row.Capacity);
        const envelope = { schema: 1, provider: PROVIDER, observed_at: file.observedAt } as const;
        yield {
          kind: 'update',
          position,
          update: {
            ...envelope,
            kind: 'venue',
            venue: {
              name: row.Stadium,
              country,
              ...(row.City && { city: row.City }),
              ...(capacity && { capacity }),
              ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }),
              sport: 'football',
            },
          },
        };
        // The club is not set as the venue's home team: a better-ranked source may give it another stadium.
        const team = row.FDCOUK || row.Team;
        if (!team) continue;
        const extra = {
          stadium: row.Stadium,
          ...(capacity && { stadium_capacity: capacity }),
          ...(row.City && { city: row.City }),
        };
        const participant = { type: 'team', sport: 'football', name: team, country, extra } as const;
        yield { kind: 'update', position, update: { ...envelope, kind: 'participant', participant } };
      }
    }
  },
};
