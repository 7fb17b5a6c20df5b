/** Reads a referee: the matches, and cards and penalties per match, by season and tournament. */
import type { z } from 'zod';
import { COUNTED } from '../competitions/index.ts';
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import { readAll } from '../db/reads.ts';
import type { MatchAccess } from '../wire/access.ts';
import { grouped } from '../wire/grouped.ts';
import { type ListedEvents, listedEventsSql } from './listed-events.ts';
import { REPORTED, type ReportedFigures, toFigures } from './referee-figures.ts';
import type { refereeDetail } from './schema.ts';
import { OWN_MATCHES, ownValues, readProfile } from './staff.ts';

export type RefereeDetail = z.infer<typeof refereeDetail>;
type Season = RefereeDetail['seasons'][number];
type Figures = Omit<Season, 'season_id' | 'season_label' | 'tournament_id' | 'tournament' | 'tournament_ru'>;

/** A finished match. */
interface RefereedMatch extends Omit<Season, keyof Figures>, ReportedFigures {}

const MATCHES = prepared(
  'matches of a referee',
  `WITH own AS MATERIALIZED (${OWN_MATCHES})
   SELECT season.id AS season_id, season.season_label, t.id AS tournament_id, t.name AS tournament, t.name_ru AS tournament_ru,
     ${REPORTED.columns}
   FROM own JOIN match m ON m.id = own.id JOIN season ON season.id = m.season_id JOIN tournament t ON t.id = m.tournament_id
   ${REPORTED.joins}
   WHERE ${COUNTED} ORDER BY m.scheduled_start DESC, m.id DESC`,
);

const EVENTS = prepared(
  'events of a referee',
  `WITH own AS MATERIALIZED (${OWN_MATCHES}) SELECT (SELECT count(*)::int FROM own) AS events, ${listedEventsSql('own')}`,
);

/** @param id as `staffVersion` returns it */
export async function readReferee(db: Queryable, id: number, access: MatchAccess | null): Promise<RefereeDetail> {
  const values = ownValues('referee', id, access);
  const [profile, { matches, events }] = await Promise.all([
    readProfile(db, id),
    readAll(db, {
      matches: { statement: MATCHES(values), toValue: (rows: RefereedMatch[]) => rows },
      events: { statement: EVENTS(values), toValue: (rows: (ListedEvents & { events: number })[]) => firstRow(rows) },
    }),
  ]);
  const seasons = [...grouped(matches, ({ season_id }) => season_id).values()].map((own) => {
    const { season_id, season_label, tournament_id, tournament, tournament_ru } = own[0];
    return { season_id, season_label, tournament_id, tournament, tournament_ru, ...sumFigures(own) };
  });
  return { ...profile, ...events, ...sumFigures(matches), seasons };
}

function sumFigures(matches: readonly ReportedFigures[]): Figures {
  const figures = matches.map(toFigures);
  const yellow = figures.flatMap(({ yellow_cards }) => yellow_cards ?? []);
  const red = figures.flatMap(({ red_cards }) => red_cards ?? []);
  const penalties = figures.flatMap((match) => match.penalties ?? []);
  return {
    matches: matches.length,
    matches_with_cards: yellow.length,
    yellow_cards: sum(yellow),
    red_cards: sum(red),
    yellow_cards_per_match: perMatch(yellow),
    red_cards_per_match: perMatch(red),
    matches_with_penalties: penalties.length,
    penalties: sum(penalties),
    penalties_per_match: perMatch(penalties),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** Returns the average with two decimals. Null without a match. */
const perMatch = (values: readonly number[]) =>
  values.length === 0 ? null : Math.round((100 * sum(values)) / values.length) / 100;
