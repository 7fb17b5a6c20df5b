/** The command `touchline link-players`, which also runs after an import. */
import { writeFileSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import { type LinkSummary, linkPlayers, type MatchDeps } from '../apply/index.ts';
import { deleteUnseen, type Links } from '../identity/index.ts';
import { DAY_MS, utcDay } from '../wire/time.ts';

const count = (number: number) => number.toLocaleString('en');

/**
 * @param report a file to which rows are written for each name that fits several players
 * @returns lines for the user; none if no match names a player without an id
 */
export async function linkLines(deps: MatchDeps, report?: string): Promise<string[]> {
  const summary = await linkPlayers(deps);
  if (summary === null) return ['Another process is linking names of players'];
  await deleteUnseen(deps.pool);
  if (report !== undefined) writeFileSync(report, await doubtsAsCsv(deps, summary.doubtful));
  return summary.figures + summary.coaches === 0 ? [] : summaryLines(summary);
}

function summaryLines({ figures, linked, doubtful, matches, coaches, joined, deleted }: LinkSummary): string[] {
  const own = figures - linked;
  return [
    `${count(figures)} names of players in teams: ${count(linked)} linked to known players, ${count(own)} made new players (${count(doubtful.length)} in doubt)`,
    `${count(matches)} matches changed; ${count(joined)} players joined to known ones, ${count(deleted)} removed`,
    ...(coaches === 0 ? [] : [`${count(coaches)} matches with cards of coaches, who are not players`]),
  ];
}

/** Returns one row for each name and candidate, from which a person chooses. See data/identity/named-players.csv. */
async function doubtsAsCsv({ pool }: MatchDeps, doubtful: Links['doubtful']): Promise<string> {
  const { rows } = await pool.query<{ id: number; name: string; birth_date: string | null }>(
    'SELECT id, name, birth_date::text FROM participant WHERE id = ANY ($1)',
    [[...new Set(doubtful.flatMap(({ persons }) => persons))]],
  );
  const persons = new Map(rows.map((row) => [row.id, row]));
  const lines = doubtful.flatMap(({ figure, persons: ids, why }) =>
    ids.map((id) => {
      const { name, birth_date } = persons.get(id)!;
      const [sport, gender] = figure.kind.split('|');
      const [first, last] = [figure.first, figure.last].map(formatDay);
      const { team_key: team, name: written, mentions } = figure;
      return {
        sport,
        gender,
        team,
        name: written,
        first,
        last,
        matches: mentions.length,
        why,
        birth_date,
        player: name,
      };
    }),
  );
  const columns = ['sport', 'gender', 'team', 'name', 'first', 'last', 'matches', 'why', 'birth_date', 'player'];
  return stringify(lines, { header: true, columns });
}

const formatDay = (day: number) => utcDay(day * DAY_MS);
