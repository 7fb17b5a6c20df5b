/**
 * The wire shapes of a match, which REST, sync and the docs share. They are strict, so a field that is not listed here is
 * never sent.
 */
import { z } from 'zod';
import { SPORT_BLOCKS } from '../sports/sport.ts';
import { sportsWith } from '../sports/sports.ts';
import { innings, inningsState } from './innings.ts';
import { timestamp } from './time.ts';

const MAX_ID = Number.MAX_SAFE_INTEGER;
export const countryCode = z
  .string()
  .regex(/^([A-Z]{2}|GB-(ENG|SCT|WLS|NIR)|INT)$/, 'must be ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR or INT')
  .meta({ description: 'ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international' });
export const id = z.int().min(1).max(MAX_ID);
/** The types of participants. A team or a player can be a side of a match. */
export const PARTICIPANT_TYPES = ['team', 'player', 'referee', 'coach'] as const;
export type ParticipantType = (typeof PARTICIPANT_TYPES)[number];
export const sideName = z.enum(['home', 'away']);
export const nameI18n = z.strictObject({ en: z.string(), ru: z.string().optional() });
const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();
/** An object whose members depend on the sport or on the provider. */
export const openObject = z.looseObject({});

export const MATCH_STATUSES = ['scheduled', 'live', 'finished'] as const;
export const matchStatus = z.enum(MATCH_STATUSES);

/** The meaning of each `status_detail`, and its `status`. */
export const STATUS_DETAILS = {
  not_started: { status: 'scheduled', meaning: 'To be played' },
  delayed: { status: 'scheduled', meaning: 'The kick-off is late' },
  postponed: { status: 'scheduled', meaning: 'Moved to a date that may not be known yet' },
  in_play: { status: 'live', meaning: 'A period is being played' },
  break: { status: 'live', meaning: 'Between two periods' },
  extra_time: { status: 'live', meaning: 'Extra time or overtime is being played' },
  penalties: { status: 'live', meaning: 'A shoot-out is being played' },
  suspended: { status: 'live', meaning: 'Stopped; may be resumed on another day' },
  interrupted: { status: 'live', meaning: 'Stopped for a short time' },
  ended: { status: 'finished', meaning: 'Played to the end in regular time' },
  after_extra_time: { status: 'finished', meaning: 'Decided in extra time or overtime' },
  after_penalties: { status: 'finished', meaning: 'Decided in a shoot-out' },
  awarded: { status: 'finished', meaning: 'The result was set by the organiser' },
  walkover: { status: 'finished', meaning: 'One side did not play' },
  retired: { status: 'finished', meaning: 'One side gave up during play' },
  abandoned: { status: 'finished', meaning: 'Stopped and not resumed; the score does not count' },
  cancelled: { status: 'finished', meaning: 'Will not be played; without a score' },
} as const satisfies Record<string, { status: (typeof MATCH_STATUSES)[number]; meaning: string }>;
export type StatusDetail = keyof typeof STATUS_DETAILS;
export const statusDetail = z.enum(Object.keys(STATUS_DETAILS) as [StatusDetail, ...StatusDetail[]]);

/**
 * A detail that only the service sets, for a scheduled or live match without news. The match's `status` does not change. No
 * provider may send this detail.
 */
export const AWAITING_DATA = 'awaiting_data';
export const AWAITING_DATA_MEANINGS = {
  scheduled: 'Long past its start, without a result',
  live: 'Silent for longer than its sport allows',
} as const;
export type ShownStatusDetail = StatusDetail | typeof AWAITING_DATA;
export const SHOWN_STATUS_DETAILS = [AWAITING_DATA, ...statusDetail.options] as const;
export const shownStatusDetail = z.enum(SHOWN_STATUS_DETAILS);

/** Providers' ids. Replies with details contain them if the client asks for them. */
export const externalIds = z
  .record(z.string(), z.array(z.string()))
  .optional()
  .meta({ description: 'Ids at each provider; only with `external_ids=true`' });

const participantSide = z.strictObject({
  participant_id: id,
  name: z.string().meta({
    description:
      'The name on the day of the match (UTC), so that former states and clubs have their names of that time',
  }),
  name_ru: nullable(z.string()),
  side: sideName,
  score: nullable(z.int().min(0)),
  image_url: z.string(),
});

export const periodScore = z.strictObject({
  period: z.string(),
  home: z.int().min(0),
  away: z.int().min(0),
  innings: inningsState.optional(),
});

const matchExtra = z
  .object({
    period_scores: z.array(periodScore),
    season: z.string(),
    round: nullable(z.string()),
    start_time: nullable(z.string()),
    shootout_winner: sideName.optional().meta({
      description: 'The side that won the shoot-out, if a source has the winner without the score',
    }),
    winner: z.enum(['home', 'away', 'draw']).optional().meta({
      description:
        'The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match',
    }),
  })
  .catchall(z.unknown());

export const weather = z.strictObject({
  stadium: nullable(z.string()),
  city: nullable(z.string()),
  temperature_c: nullable(z.number()),
  feels_like_c: nullable(z.number()),
  conditions: nullable(z.string()),
  conditions_i18n: nameI18n.optional(),
  wind_speed_ms: nullable(z.number()),
  wind_gusts_ms: nullable(z.number()),
  precipitation_mm: nullable(z.number()),
  precipitation_prob_pct: nullable(z.number()),
  humidity_pct: nullable(z.number()),
  cloud_cover_pct: nullable(z.number()),
  weather_code: nullable(z.int()),
  is_forecast: z.boolean(),
  observed_hour_utc: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
});

const listItemFields = {
  id,
  scheduled_start: timestamp,
  time_tbd: z.boolean(),
  status: matchStatus,
  status_detail: shownStatusDetail,
  minute: nullable(z.int().min(0)),
  round_num: nullable(z.int()),
  round_name: nullable(z.string()),
  tournament: z.string(),
  tournament_id: id,
  season_id: id,
  sport: z.string(),
  venue: nullable(z.string()),
  importance: z.int().min(0).max(100),
  lineup_confirmed: nullable(z.boolean()),
  finalized: z.boolean(),
  updated_at: timestamp,
  extra: matchExtra,
  weather: nullable(weather),
  participants: z.array(participantSide),
};
export const matchItem = z.strictObject(listItemFields);
export type MatchItem = z.infer<typeof matchItem>;

export const incident = z
  .strictObject({
    id,
    minute: nullable(z.int().min(0)),
    minute_plus: nullable(z.int().min(0)),
    period: nullable(z.string()),
    kind: z.string(),
    side: nullable(sideName),
    player_name: nullable(z.string()),
    player_participant_id: nullable(id),
    assist_name: nullable(z.string()),
    assist_participant_id: nullable(id),
    payload: openObject.meta({
      description:
        'Members by kind, as `/v1/reference/incident-kinds` lists them. In a card, `role: "coach"` says that the card was shown to a ' +
        'coach or other staff: `player_name` is the name of that person, and `player_participant_id` is null',
    }),
  })
  .meta({ id: 'Incident' });
export type Incident = z.infer<typeof incident>;

export const statistic = z
  .strictObject({
    period: z.string(),
    group_name: nullable(z.string()),
    stat_name: z.string(),
    home_value: nullable(z.number()),
    away_value: nullable(z.number()),
    home_text: nullable(z.string()),
    away_text: nullable(z.string()),
  })
  .meta({ id: 'Statistic' });

const lineupEntry = z
  .strictObject({
    side: sideName,
    formation: nullable(z.string()),
    player_participant_id: nullable(id),
    player_name: z.string(),
    position: nullable(z.string()),
    shirt_number: nullable(z.string()),
    is_substitute: z.boolean(),
    stats: openObject,
  })
  .meta({ id: 'LineupEntry' });

const oddsEntry = z
  .strictObject({
    market_name: z.string(),
    market_group: nullable(z.string()),
    choice_name: z.string(),
    fractional_value: z.string(),
    opening_value: nullable(z.string()),
    decimal_value: z.number(),
    opening_decimal: nullable(z.number()),
    bookmaker: nullable(z.string()),
    movement: nullable(z.enum(['up', 'down'])),
    winning: nullable(z.boolean()),
  })
  .meta({ id: 'OddsEntry' });

const percent = z.number().min(0).max(100);

/** The player's id, for blocks in which sources give only a name. */
const namedPlayer = nullable(id).meta({
  description: 'The player of the match who has exactly this name; null if there is none, or more than one',
});
const position = z.strictObject({
  player_name: z.string(),
  x: percent,
  y: percent,
  player_participant_id: namedPlayer,
});

/** A card's blocks. A block that is not stored is absent. A block that is known to be empty is `[]`. */
export const detailBlocks = {
  incidents: z.array(incident),
  statistics: z.array(statistic),
  lineups: z.array(lineupEntry),
  player_stats: z.array(
    z
      .strictObject({
        participant_id: nullable(id),
        player_name: z.string(),
        side: sideName,
        position: nullable(z.string()),
        stats: openObject,
      })
      .meta({ id: 'PlayerStats' }),
  ),
  coaches: z.array(
    z
      .strictObject({
        side: sideName,
        coach_name: z.string(),
        coach_name_ru: nullable(z.string()),
        coach_id: nullable(id).meta({ description: 'As in `/v1/coach/{id}`; null for a name without a letter' }),
      })
      .meta({ id: 'MatchCoach' }),
  ),
  missing_players: z.array(
    z
      .strictObject({
        side: sideName,
        player_name: z.string(),
        position: nullable(z.string()),
        type: z.string(),
        status: nullable(z.string()),
        reason_text: nullable(z.string()),
        player_participant_id: namedPlayer,
      })
      .meta({ id: 'MatchMissingPlayer' }),
  ),
  shotmap: z.array(
    z
      .strictObject({
        player: z.strictObject({ id: nullable(id), name: z.string() }),
        side: sideName,
        minute: nullable(z.int().min(0)),
        xg: nullable(z.number().min(0).max(1)),
        shotType: z.string(),
        situation: nullable(z.string()),
        bodyPart: nullable(z.string()),
        x: nullable(percent),
        y: nullable(percent),
      })
      .meta({ id: 'Shot' }),
  ),
  momentum: z
    .strictObject({
      graphPoints: z.array(z.strictObject({ minute: z.number().min(0), value: z.number().min(-100).max(100) })),
    })
    .meta({ id: 'Momentum' }),
  odds: z.array(oddsEntry),
  best_players: z.array(
    z
      .strictObject({
        side: sideName,
        rating: nullable(z.number()),
        player_name: z.string(),
        position: nullable(z.string()),
        player_participant_id: namedPlayer,
      })
      .meta({ id: 'BestPlayer' }),
  ),
  win_probability: z.strictObject({ homeWin: z.number(), draw: nullable(z.number()), awayWin: z.number() }),
  votes: z
    .strictObject({
      vote: z.strictObject({ vote1: z.int().min(0), voteX: nullable(z.int().min(0)), vote2: z.int().min(0) }),
    })
    .meta({ id: 'Votes' }),
  highlights: z.array(
    z.strictObject({ title: z.string(), url: z.url(), thumbnail: nullable(z.url()) }).meta({ id: 'Highlight' }),
  ),
  average_positions: z
    .strictObject({ home: z.array(position), away: z.array(position) })
    .meta({ id: 'AveragePositions' }),
  tv_channels: z.record(z.string().regex(/^[A-Z]{2}(-[A-Z]{3})?$/), z.array(z.int())),
  points_history: z.array(
    z
      .strictObject({ tab: z.string(), points: z.array(z.strictObject({ home: z.string(), away: z.string() })) })
      .meta({ id: 'PointsHistory' }),
  ),
  innings: z.array(innings),
  fight: z.strictObject({ method: z.string(), finish_round: nullable(z.int().min(1)) }).meta({ id: 'Fight' }),
  commentary: z.array(
    z
      .strictObject({
        minute: nullable(z.int().min(0)),
        text: z.string(),
        text_en: nullable(z.string()),
        type: nullable(z.string()),
        side: nullable(sideName),
        player_name: nullable(z.string()),
        player_participant_id: namedPlayer,
      })
      .meta({ id: 'CommentaryEntry' }),
  ),
} as const;

export type BlockName = keyof typeof detailBlocks;
export const BLOCK_NAMES = Object.keys(detailBlocks) as BlockName[];
/** Blocks in the spec that are fields of the match here. A card always has them, no matter which blocks a client requests. */
export const FIELD_BLOCKS = [
  'season_label',
  'venue_city',
  'venue_capacity',
  'referee',
  'attendance',
  'venue_id',
  'referee_id',
  'referee_ids',
  'participants',
  'weather',
  'meta',
] as const;
export type Blocks = { [B in BlockName]?: z.infer<(typeof detailBlocks)[B]> };

/** Blocks that exist only for some sports. A feed update with such a block is refused for the rest. */
export const BLOCK_SPORTS: Partial<Record<BlockName, readonly string[]>> = Object.fromEntries(
  SPORT_BLOCKS.map((block) => [block, sportsWith(({ blocks }) => blocks.includes(block))]),
);

const completeness = z.enum(['full', 'partial', 'none']);
/** Fields that a card has and a list item does not. */
const detailFields = {
  season_label: z.string(),
  venue_city: nullable(z.string()),
  venue_capacity: nullable(z.int()),
  referee: nullable(z.string()),
  attendance: nullable(z.int()),
  venue_id: nullable(id).meta({ description: 'As in `/v1/venue/{id}`' }),
  referee_id: nullable(id).meta({ description: 'As in `/v1/referee/{id}`; of several referees, the first' }),
  referee_ids: z.array(id).meta({ description: 'All referees of the match, in the order of `referee`' }),
  meta: z
    .strictObject({
      last_detail_at: nullable(timestamp),
      completeness: z.record(z.string(), completeness).meta({
        description: [
          'For each block that the sport can have: `none` if it has no data, `full` if it has all data of a whole match, otherwise `partial`.',
          '`lineups` is full if both sides have all starters, and the line-ups are official or the match is over. In a sport without a fixed number of starters it is full if the line-ups are official.',
          '`coaches` is full if both sides have one.',
          'Other blocks are full only after the end of the match, if they meet a condition.',
          '`incidents`: the goals, points or sets among them add up to the score;',
          '`statistics`: both sides have each figure;',
          '`player_stats`, `average_positions`: both sides have all starters;',
          '`shotmap`, `best_players`: both sides have entries;',
          '`momentum`: the curve reaches the end of regular time.',
        ].join(' '),
      }),
      sources: z.array(z.string()),
    })
    .meta({ id: 'MatchMeta' }),
};

type Optional<S extends Record<string, z.ZodType>> = { [Name in keyof S]: z.ZodOptional<S[Name]> };
const optional = <S extends Record<string, z.ZodType>>(schemas: S) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schema.optional()])) as Optional<S>;

export const matchDetail = z
  .strictObject({ ...listItemFields, external_ids: externalIds, ...detailFields, ...optional(detailBlocks) })
  .meta({ id: 'MatchDetail' });
/** A match in a list that may be requested with `blocks`. */
export const listedMatch = z
  .strictObject({ ...listItemFields, ...optional(detailFields), ...optional(detailBlocks) })
  .meta({ id: 'Match' });
