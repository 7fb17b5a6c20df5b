/**
 * Matches with goals and cards by minute, from the open data sets: schochastics, with earlier seasons from
 * football-datasets.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HistoryMatch, MatchSource } from '../../src/analytics/history/match-source.ts';
import { identifyParticipant } from '../../src/identity/entity-keys.ts';
import { findImporter } from '../../src/importers/formats.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import type { Incident } from '../../src/wire/match.ts';

const DATA = process.env.DATA ?? fileURLToPath(new URL('../../../shared/datasets/', import.meta.url));
const LEAGUES = ['premier-league', 'la-liga', 'bundesliga', 'serie-a', 'ligue-1'];

interface Stored {
  match: HistoryMatch;
  incidents: Incident[];
}

/**
 * @param firstYear first season to take from football-datasets
 * @param lastYear last season to take from football-datasets
 * @returns null if the files are missing
 */
export async function liveHistory(firstYear: number, lastYear: number): Promise<MatchSource | null> {
  if (!existsSync(join(DATA, 'schochastics')) || !existsSync(join(DATA, 'football-datasets'))) return null;
  const tournaments = new Map<string, Map<string, Stored>>();
  const ids = new Map<string, number>();
  const numbered = (text: string) => {
    const id = ids.get(text) ?? ids.size + 1;
    ids.set(text, id);
    return id;
  };
  const take = ({ match }: MatchUpdateInput) => {
    const side = ({ name, country }: MatchUpdateInput['match']['home']) => {
      const given = { type: 'team', sport: 'football', gender: 'male', country, name } as const;
      const { key, country: known } = identifyParticipant(given);
      return numbered(`${known}|${key}`);
    };
    const { tournament, season, score, scheduled_start } = match;
    if (!score || !scheduled_start) return;
    const name = `${tournament.country} ${tournament.name}`;
    const [home_id, away_id] = [side(match.home), side(match.away)];
    const key = `${season.label} ${home_id} ${away_id}`;
    const known = tournaments.get(name) ?? new Map<string, Stored>();
    tournaments.set(name, known);
    const shots = match.statistics?.find(
      ({ stat_name, period }) => stat_name === 'Shots on target' && period === 'ALL',
    );
    const stored = known.get(key) ?? {
      match: {
        id: numbered(`${name} ${key}`),
        season: season.label,
        start: Date.parse(scheduled_start) / 1000,
        home_id,
        away_id,
        home_score: score.home,
        away_score: score.away,
        neutral: false,
        home_shots_on_target: shots?.home_value ?? null,
        away_shots_on_target: shots?.away_value ?? null,
      },
      incidents: [],
    };
    if (match.incidents) stored.incidents = match.incidents.map(toIncident);
    known.set(key, stored);
  };
  for (const path of files(firstYear, lastYear))
    for await (const item of findImporter(path.format)!.read(path.file))
      if (item.kind === 'update' && item.update.kind === 'match') take(item.update);
  const names = [...tournaments.keys()].sort();
  const of = (tournament: number) => [...tournaments.get(names[tournament - 1]!)!.values()];
  return {
    tournaments: async () => names.map((name, index) => ({ id: index + 1, name, sport: 'football' })),
    matches: async (tournament) => of(tournament).map(({ match }) => match),
    incidents: async (tournament, { from, to }) =>
      new Map(
        of(tournament)
          .filter(({ match, incidents }) => incidents.length > 0 && match.start >= from && match.start < to)
          .map(({ match, incidents }) => [match.id, incidents]),
      ),
  };
}

function* files(firstYear: number, lastYear: number) {
  for (const league of LEAGUES)
    for (let year = firstYear; year <= lastYear; year += 1) {
      const digits = (full: number) => String(full % 100).padStart(2, '0');
      const file = `season-${digits(year)}${digits(year + 1)}.csv.gz`;
      yield { format: 'football-data', file: join(DATA, 'football-datasets', league, file) };
    }
  yield { format: 'schochastics', file: join(DATA, 'schochastics', 'incidents') };
}

const toIncident = (given: NonNullable<MatchUpdateInput['match']['incidents']>[number], index: number): Incident => ({
  id: index + 1,
  minute: given.minute ?? null,
  minute_plus: given.minute_plus ?? null,
  period: given.period ?? null,
  kind: given.kind,
  side: given.side ?? null,
  player_name: given.player?.name ?? null,
  player_participant_id: null,
  assist_name: null,
  assist_participant_id: null,
  payload: given.payload ?? {},
});
