/** Exports decisions as rows for the merge files in data/identity, so that a catalogue built from scratch has them, too. */
import { stringify } from 'csv-stringify/sync';
import type { Queryable } from '../db/postgres.ts';
import type { ParticipantType } from '../wire/match.ts';

interface Decided {
  type: ParticipantType;
  sport: string;
  name: string;
  country: string | null;
  birth_date: string | null;
  other_country: string | null;
  aliases: { name: string; locale: string }[];
}

export interface MergeRows {
  /** The file in data/identity to which the rows belong. */
  file: 'teams.csv' | 'players.csv' | 'referees.csv';
  /** CSV lines without the header. */
  lines: string[];
}

/** Referees of international competitions have no country. */
const INTERNATIONAL = 'INT';

const line = (cells: readonly (string | null)[]) => stringify([cells], { eof: false });

/** Returns rows for pairs that an operator has decided are the same. A player without a birth date has no row in a merge file. */
export async function mergeRowsOfPairs(db: Queryable): Promise<MergeRows[]> {
  const { rows } = await db.query<Decided>(
    `SELECT k.type, k.sport, k.name, k.country, k.birth_date::text, o.country AS other_country, coalesce(x.moved -> 'aliases', '[]') AS aliases
     FROM participant_pair x JOIN participant k ON k.id = x.known_id JOIN participant o ON o.id = x.other_id
     WHERE x.decision = 'same' ORDER BY k.type DESC, k.sport, k.name, x.id`,
  );
  const spellings = ({ name, aliases }: Decided) =>
    aliases.filter((alias) => alias.locale === 'en' && alias.name !== name).map((alias) => alias.name);
  const teams = rows
    .filter(({ type, country }) => type === 'team' && country !== null)
    .flatMap((one) =>
      spellings(one).map((alias) => line([one.sport, one.country, one.name, one.other_country ?? one.country, alias])),
    );
  const players = rows
    .filter(({ type, birth_date }) => type === 'player' && birth_date !== null)
    .flatMap((one) => spellings(one).map((alias) => line([one.sport, one.birth_date, one.name, alias])));
  const referees = rows
    .filter(({ type }) => type === 'referee')
    .flatMap((one) =>
      spellings(one).map((alias) =>
        line([one.sport, one.country ?? INTERNATIONAL, one.name, one.other_country ?? INTERNATIONAL, alias]),
      ),
    );
  return [
    { file: 'teams.csv', lines: teams },
    { file: 'players.csv', lines: players },
    { file: 'referees.csv', lines: referees },
  ];
}
