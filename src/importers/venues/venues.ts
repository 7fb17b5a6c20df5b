/** Stadiums with coordinates, capacity, city and home club: jokecamp's stadiums-with-GPS-coordinates.csv. */

import { nationTeam } from '../../identity/merges.ts';
import type { FeedUpdateInput } from '../../wire/feed-update.ts';
import { csvUpdates, decimal, integer, type Row } from '../csv.ts';
import { participantUpdate, venueUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import { eachFile, fileImporter } from '../importer.ts';

const PROVIDER = 'stadium-coordinates';

export const venues = fileImporter({
  format: 'venues',
  provider: PROVIDER,
  description: 'CSV with columns Team, FDCOUK, City, Stadium, Capacity, Latitude, Longitude, Country',
  expected: 'a CSV file of stadiums',
  accepts: ({ name }) => name.endsWith('.csv'),
  readFiles: eachFile((file) =>
    csvUpdates(file, ['Team', 'City', 'Stadium', 'Latitude', 'Longitude', 'Country'], ({ row }) =>
      readStadium(row, file),
    ),
  ),
});

/** Returns the venue, and the club that plays there if the row has one. */
function readStadium(row: Row, file: InputFile): FeedUpdateInput[] | string {
  const country = nationTeam(row.Country ?? '')?.country;
  const [latitude, longitude] = [decimal(row.Latitude), decimal(row.Longitude)];
  if (!row.Stadium || !country) return 'the stadium or its country is missing';
  const capacity = integer(row.Capacity);
  const venue = venueUpdate(PROVIDER, file, {
    name: row.Stadium,
    country,
    ...(row.City && { city: row.City }),
    ...(capacity && { capacity }),
    ...(latitude !== undefined && longitude !== undefined && { latitude, longitude }),
    sport: 'football',
  });
  // The club does not get this venue as its home, because a source with higher precedence may give another stadium.
  const team = row.FDCOUK || row.Team;
  if (!team) return [venue];
  const extra = {
    stadium: row.Stadium,
    ...(capacity && { stadium_capacity: capacity }),
    ...(row.City && { city: row.City }),
  };
  const participant = { type: 'team', sport: 'football', name: team, country, extra } as const;
  return [venue, participantUpdate(PROVIDER, file, participant)];
}
