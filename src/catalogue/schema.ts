/** Wire format for the catalogue: sports, countries, tournaments, seasons, participants, and the reference lists. */
import { z } from 'zod';
import { countryCode, externalIds, id, listedMatch, nameI18n, openObject, PARTICIPANT_TYPES } from '../wire/match.ts';
import { wireDay as day, timestamp } from '../wire/time.ts';

const genderName = z.enum(['men', 'women', 'mixed']);
const count = z.int().min(0).meta({ description: 'Items in this page' });
const total = z.int().min(0).meta({ description: 'Items in all pages' });

export const sport = z
  .strictObject({ id: z.int().min(1), slug: z.string(), name_i18n: nameI18n })
  .meta({ id: 'Sport' });
export const sportList = z.strictObject({ sports: z.array(sport) });

export const country = z
  .strictObject({
    iso: countryCode,
    name: z.string(),
    name_ru: z.string().nullable(),
    leagues: z.int().min(0).meta({ description: 'Number of tournaments' }),
    sports: z.array(z.string()).meta({ description: 'Slugs of sports with a tournament' }),
  })
  .meta({ id: 'Country' });
export const countryList = z.strictObject({ count, countries: z.array(country) });

const LEVELS = ['full', 'partial', 'none'] as const;
export const DEPTHS = ['full', 'partial', 'results', 'none'] as const;
export type Depth = (typeof DEPTHS)[number];
const percentage = z.number().min(0).max(100);
const blockCoverage = z
  .strictObject({
    level: z.enum(LEVELS).meta({ description: 'full: `full_pct` is at least 95; none: no match has the block' }),
    pct: percentage.meta({
      description: 'Percentage of the matches since `since` that have the block, among those that are over',
    }),
    full_pct: percentage.meta({
      description: 'Percentage of the same matches in which the block is `full` in `meta.completeness`',
    }),
    since: day.nullable().meta({
      description:
        'Day of the first match with the block, in the first season in which at least half of the matches have it. Without such a season, in the first season in which any match has it',
    }),
  })
  .meta({ id: 'BlockCoverage' });
const coverage = z
  .strictObject({
    depth: z.enum(DEPTHS).meta({
      description:
        'full: incidents, statistics and line-ups are full; partial: some details; results: no details; none: no match is over',
    }),
    matches: z.int().min(0).meta({ description: 'Number of matches that are over and can have details' }),
    measured_at: timestamp,
    blocks: z.record(z.string(), blockCoverage).meta({
      description:
        'Has an entry for each block that the sport can have, for `weather`, and for `results` (among the matches that should have a result by now)',
    }),
  })
  .meta({ id: 'Coverage' });
export type Coverage = z.infer<typeof coverage>;

const tournamentFields = {
  id,
  name: z.string(),
  name_i18n: nameI18n,
  sport: z.string(),
  gender: genderName,
  country: countryCode,
  events: z.int().min(0).meta({ description: 'Number of matches' }),
  tier: z.int().min(1).nullable().meta({ description: 'Level within the country, 1 the highest' }),
  coverage: coverage.nullable().meta({
    description:
      'Measured every night, and at the latest five minutes after a change, like `events`; null if not measured yet',
  }),
};
export const tournament = z.strictObject(tournamentFields).meta({ id: 'Tournament' });
export const tournamentList = z.strictObject({ count, total, tournaments: z.array(tournament) });

export const season = z
  .strictObject({
    id,
    season_label: z.string(),
    start_date: day.nullable(),
    end_date: day.nullable(),
    is_current: z.boolean().meta({
      description:
        'At most one season of a tournament is current: the one that includes today, or else the most recent',
    }),
  })
  .meta({ id: 'Season' });
export const seasonList = z.strictObject({ count, seasons: z.array(season) });
export const tournamentDetail = z
  .strictObject({ ...tournamentFields, current_season: season.nullable(), external_ids: externalIds })
  .meta({ id: 'TournamentDetail' });

const participantFields = {
  id,
  type: z.enum(PARTICIPANT_TYPES),
  sport: z.string(),
  name_i18n: nameI18n,
  country: countryCode.nullable(),
  gender: genderName,
  birth_date: day.nullable().meta({ description: 'Players only' }),
  image_url: z.string(),
  extra: openObject.meta({
    description:
      'Stadium, position, height and more, if known. For a player, `club` is the club in a squad list, and `club_id` is its id (null unless exactly one club of the catalogue has the name). `clubs` has the clubs of a player from line-ups and incidents, newest first, with season, team_id, team_name, team_name_ru, matches (null if line-ups or substitutions are not known) and goals (null if the scorers of a match are unknown)',
  }),
};
const aliases = z
  .array(z.strictObject({ name: z.string(), locale: z.enum(['en', 'ru']) }))
  .meta({ description: 'Other names by which search finds it, including former ones' });
const formerName = z.strictObject({
  name: z.string(),
  name_ru: z.string().nullable(),
  from: day.nullable().meta({ description: 'First day; null if open' }),
  to: day.nullable().meta({ description: 'Last day; null if open' }),
});
export const participantDetail = z
  .strictObject({
    ...participantFields,
    external_ids: externalIds,
    aliases,
    former_names: z.array(formerName).meta({
      description:
        'Names valid on certain days, oldest first; on other days `name_i18n` applies. Matches show the names of their day (UTC). Tables and top scorers show the names of the last match',
    }),
  })
  .meta({ id: 'ParticipantDetail' });
export const participantItem = z.strictObject(participantFields).meta({ id: 'Participant' });
export const participantList = z.strictObject({ count, participants: z.array(participantItem) });
export const foundParticipant = z
  .strictObject({ ...participantFields, aliases, relevance: z.number().min(0).max(1) })
  .meta({ id: 'FoundParticipant' });
export const foundParticipantList = z.strictObject({ count, participants: z.array(foundParticipant) });

const tally = z.int().min(0);
export const playerPart = z
  .strictObject({
    side: z.enum(['home', 'away']),
    appeared: z.boolean().meta({ description: 'False if the player was carded but is not known to have played' }),
    started: z.boolean().nullable().meta({ description: 'null if unknown' }),
    minutes: tally
      .nullable()
      .meta({ description: 'Minutes played, without added time; null before the end of the match, and if unknown' }),
    goals: tally.meta({ description: 'Without own goals and shoot-outs' }),
    penalties: tally.meta({ description: 'Goals from penalties' }),
    own_goals: tally,
    assists: tally,
    yellow_cards: tally.meta({ description: 'In football a second yellow card counts only as a red card' }),
    red_cards: tally.meta({ description: 'Straight red cards and second yellow cards' }),
  })
  .meta({ id: 'PlayerPart' });

const participantEvent = listedMatch
  .extend({
    result: z.enum(['W', 'D', 'L']).nullable().meta({
      description:
        'Result for the participant, including a shoot-out; null before the end of the match and for abandoned and cancelled matches',
    }),
    score_for: z.int().min(0).nullable(),
    score_against: z.int().min(0).nullable(),
    player: playerPart
      .optional()
      .meta({ description: 'Only for a player in a team sport: what the player did in the match' }),
  })
  .meta({ id: 'ParticipantMatch' });
export const participantEventList = z.strictObject({ count, total, events: z.array(participantEvent) });

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** The part of JSON Schema (2020-12) that the reference lists use. */
const jsonSchema = z
  .strictObject({
    $schema: z.string().optional(),
    description: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    const: scalar.optional(),
    enum: z.array(scalar).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.int().optional(),
    maxLength: z.int().optional(),
    required: z.array(z.string()).optional(),
    get properties() {
      return z.record(z.string(), jsonSchema).optional();
    },
    get propertyNames() {
      return jsonSchema.optional();
    },
    get additionalProperties() {
      return z.union([z.literal(false), jsonSchema]).optional();
    },
    get items() {
      return jsonSchema.optional();
    },
    get anyOf() {
      return z.array(jsonSchema).optional();
    },
  })
  .meta({ id: 'JsonSchema' });

const sports = z.array(z.string()).meta({ description: 'Slugs of sports that have it' });
export const eventTypeList = z.strictObject({
  count,
  event_types: z.array(
    z.strictObject({
      type: z.string(),
      meaning: z.string(),
      sports,
      schema: jsonSchema.meta({ description: "JSON Schema of the event's `data`" }),
    }),
  ),
});
export const incidentKindList = z.strictObject({
  count,
  incident_kinds: z.array(
    z.strictObject({
      kind: z.string(),
      meaning: z.string(),
      sports,
      event_type: z.string().meta({ description: 'The event type that reports a new incident of this kind' }),
      schema: jsonSchema.meta({ description: "JSON Schema of the incident's `payload`, which may have more members" }),
    }),
  ),
});
export const statusList = z.strictObject({
  count,
  statuses: z.array(
    z.strictObject({ status: z.string(), status_detail: z.string(), meaning: z.string(), schema: jsonSchema }),
  ),
});

const externalId = z.strictObject({ provider: z.string(), external_id: z.string(), id }).meta({ id: 'ExternalId' });
export const externalIdList = z.strictObject({
  type: z.string(),
  count,
  external_ids: z.array(externalId).meta({ description: "In the request's order" }),
  unknown: z.array(z.string()).meta({ description: 'Requested ids without a counterpart' }),
});

export const searchHit = z
  .strictObject({
    type: z.enum([...PARTICIPANT_TYPES, 'tournament']),
    id,
    name_i18n: nameI18n,
    sport: z.string(),
    country: countryCode.nullable(),
    gender: genderName,
    image_url: z.string().nullable().meta({ description: 'Null for tournaments' }),
    relevance: z.number().min(0).max(1),
  })
  .meta({ id: 'SearchHit' });
export const searchHitList = z.strictObject({ count, results: z.array(searchHit) });
