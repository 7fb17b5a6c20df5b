/** Wire format for venues, referees and coaches. */
import { z } from 'zod';
import { countryCode, id, matchItem, nameI18n, PARTICIPANT_TYPES } from '../wire/match.ts';
import { timestamp, wireDay } from '../wire/time.ts';

const tally = z.int().min(0);
const count = tally.meta({ description: 'Items in this page' });
const total = tally.meta({ description: 'Items in all pages' });
const events = tally.meta({ description: 'Number of matches, including those to come' });
const average = z.number().min(0).nullable();

/** The newest matches that are over, and the next ones. */
const listed = {
  last_events: z.array(matchItem).meta({ description: 'The last ten finished matches, newest first' }),
  next_events: z.array(matchItem).meta({ description: 'The next ten matches that are not finished, soonest first' }),
};

const venueFields = {
  id,
  name: z.string(),
  city: z.string().nullable(),
  country: countryCode,
  capacity: z.int().min(0).nullable().meta({ description: 'Number of spectators; null if no source has it' }),
  events,
};
export const venueItem = z.strictObject(venueFields).meta({ id: 'Venue' });
export const venueList = z.strictObject({ count, total, venues: z.array(venueItem) });

const tenant = z
  .strictObject({
    team_id: id,
    team_name: z.string(),
    team_name_ru: z.string().nullable(),
    sport: z.string(),
    matches: tally.meta({ description: 'Home matches of the team at this venue, including those to come' }),
    first_match: timestamp,
    last_match: timestamp,
  })
  .meta({ id: 'Tenant' });
export const venueDetail = z
  .strictObject({
    ...venueFields,
    aliases: z.array(z.string()).meta({ description: 'Other names, such as a names with a sponsor' }),
    latitude: z.number().min(-90).max(90).nullable().meta({ description: 'Degrees north' }),
    longitude: z.number().min(-180).max(180).nullable().meta({ description: 'Degrees east' }),
    timezone: z.string().nullable().meta({ description: 'A name of the IANA database' }),
    first_match: timestamp.nullable(),
    last_match: timestamp.nullable().meta({ description: 'May be to come' }),
    tenants: z.array(tenant).meta({
      description:
        'The 20 teams with the most home matches here. A match does not count on neutral ground, or if a national team plays abroad',
    }),
    ...listed,
  })
  .meta({ id: 'VenueDetail' });

const staffFields = {
  id,
  sport: z.string(),
  name_i18n: nameI18n,
  country: countryCode.nullable().meta({
    description:
      'The country of the competitions; null for international ones. For a person who has played, the nationality',
  }),
};
const staffItem = z.strictObject({ ...staffFields, events }).meta({ id: 'Staff' });
export const refereeList = z.strictObject({ count, total, referees: z.array(staffItem) });
export const coachList = z.strictObject({ count, total, coaches: z.array(staffItem) });

const profile = {
  ...staffFields,
  roles: z.array(z.enum(PARTICIPANT_TYPES)).meta({
    description:
      'The roles that the person has had in the catalogue: `player`, `coach`, `referee`. One person has one id in all roles',
  }),
  aliases: z.array(z.string()).meta({ description: 'Other spellings by which search finds the person' }),
  former_names: z.array(
    z.strictObject({
      name: z.string(),
      name_ru: z.string().nullable(),
      from: wireDay.nullable(),
      to: wireDay.nullable(),
    }),
  ),
  events,
};
const season = {
  season_id: id,
  season_label: z.string(),
  tournament_id: id,
  tournament: z.string(),
  tournament_ru: z.string().nullable(),
};

const refereeFigures = {
  matches: tally.meta({ description: 'Finished matches' }),
  matches_with_cards: tally.meta({ description: 'Of these, the matches whose cards a source reports' }),
  yellow_cards: tally.meta({
    description: 'In the matches of `matches_with_cards`, as the match statistics or else the incidents count them',
  }),
  red_cards: tally.meta({ description: 'Straight red cards and second yellow cards' }),
  yellow_cards_per_match: average.meta({
    description: '`yellow_cards` / `matches_with_cards`; null without such a match',
  }),
  red_cards_per_match: average,
  matches_with_penalties: tally.meta({
    description: 'The matches whose incidents a source reports in full, with or without a penalty',
  }),
  penalties: tally.meta({
    description: 'Penalties in play, scored or not, in the matches of `matches_with_penalties`',
  }),
  penalties_per_match: average,
};
export const refereeDetail = z
  .strictObject({
    ...profile,
    ...refereeFigures,
    seasons: z
      .array(z.strictObject({ ...season, ...refereeFigures }).meta({ id: 'RefereeSeason' }))
      .meta({ description: 'By season and tournament, newest first' }),
    ...listed,
  })
  .meta({ id: 'RefereeDetail' });

const record = {
  matches: tally.meta({ description: 'Finished matches with a result' }),
  wins: tally.meta({ description: 'In football, a match that a shoot-out decided is a draw' }),
  draws: tally,
  losses: tally,
  goals_for: tally.meta({ description: 'Goals, or points in sports that count points' }),
  goals_against: tally,
};
export const coachDetail = z
  .strictObject({
    ...profile,
    ...record,
    seasons: z
      .array(
        z
          .strictObject({
            ...season,
            team_id: id,
            team_name: z.string().meta({ description: 'Name on the day of the last match' }),
            team_name_ru: z.string().nullable(),
            ...record,
          })
          .meta({ id: 'CoachSeason' }),
      )
      .meta({ description: 'By season, tournament and team, newest first' }),
    ...listed,
  })
  .meta({ id: 'CoachDetail' });
