/** Matches that the archive lacks, or that do not count although it has them, from data/identity/cricsheet-matches.csv. */
import { dataRows } from '../../wire/data-file.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { matchUpdate } from '../feed-updates.ts';
import { PROVIDER } from './competition.ts';

const TOURNAMENT = { name: 'Indian Premier League', country: 'IN', gender: 'men' } as const;
const ROWS = dataRows('identity/cricsheet-matches.csv', [
  'season',
  'date',
  'home',
  'away',
  'venue',
  'city',
  'country',
  'id',
  'status',
]);
const CANCELLED = new Set(ROWS.filter(({ status }) => status === 'cancelled').map(({ id }) => id));

/** Whether the match was called off and played again on another day. */
export const isReplayed = (id: string): boolean => CANCELLED.has(id);

/** Returns the matches of a season that the archive lacks. */
export function absentMatches(
  tournament: string,
  season: string,
  observedAt: string,
): { position: string; update: MatchUpdateInput }[] {
  if (tournament !== TOURNAMENT.name) return [];
  return ROWS.filter((row) => row.season === season && row.id === '').map(
    ({ date, home, away, venue, city, country, status: _ }) => ({
      position: `cricsheet-matches.csv: ${date} ${home} - ${away}`,
      update: matchUpdate(
        PROVIDER,
        { observedAt },
        {
          id: `absent/${date}/${home}/${away}`,
          sport: 'cricket',
          tournament: TOURNAMENT,
          season: { label: season },
          home: { id: home, name: home, country: 'IN' },
          away: { id: away, name: away, country: 'IN' },
          scheduled_start: `${date}T00:00:00Z`,
          time_tbd: true,
          venue: { name: venue, city, country },
          neutral: country !== 'IN',
          status: 'finished',
          status_detail: 'abandoned',
          score: null,
          period_scores: [],
        },
      ),
    }),
  );
}
