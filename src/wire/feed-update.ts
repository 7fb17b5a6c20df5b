/**
 * The feed update, version 1. In it, a provider, an importer or a recording reports the present state, not the changes.
 * docs/feed.md documents it for providers. The schemas are strict, so an unknown field is a validation error that gives the
 * path. `.meta` describes in JSON Schema what a refinement checks, because the OpenAPI document is made from these schemas.
 */
import { z } from 'zod';
import { findSport } from '../sports/sports.ts';
import {
  at,
  CALENDAR,
  country,
  date,
  externalId,
  gender,
  httpUrl,
  MAX_ITEMS,
  name,
  smallInt,
  sport,
  upTo,
} from './feed-values.ts';
import { formerNames } from './former-names.ts';
import {
  BLOCK_SPORTS,
  detailBlocks,
  matchStatus,
  openObject,
  periodScore,
  sideName,
  statusDetail,
  weather,
} from './match.ts';

export const FEED_SCHEMA_VERSION = 1;

const tournamentRef = z
  .strictObject({
    id: externalId.optional(),
    name,
    name_ru: name.optional(),
    country,
    gender: gender.default('men'),
  })
  .meta({ id: 'FeedTournament' });
const seasonRef = z
  .strictObject({
    label: z.string().regex(/^\d{4}(\/\d{2})?$/, 'must be 2022 or 2022/23'),
    start_date: date.optional(),
    end_date: date.optional(),
  })
  .meta({ id: 'FeedSeason' });
const participantRef = z
  .strictObject({
    id: externalId.optional(),
    type: z.enum(['team', 'player']).default('team'),
    name,
    name_ru: name.optional(),
    country: country.optional(),
  })
  .meta({ id: 'FeedParticipant' });
const playerRef = z
  .strictObject({
    id: externalId.optional(),
    name,
    birth_date: date.optional(),
    country: country.optional(),
  })
  .meta({ id: 'FeedPlayer' });
const venueRef = z
  .strictObject({
    id: externalId.optional(),
    name,
    city: name.optional(),
    country,
    capacity: z.int().min(0).max(1_000_000).optional(),
    latitude: z.number().min(-90).max(90).optional(),
    longitude: z.number().min(-180).max(180).optional(),
  })
  .meta({ id: 'FeedVenue' });

/** Limited because an event, which has at most 64 KiB, may contain an edited payload three times. */
const PAYLOAD_MAX_BYTES = 16 * 1024;
const feedIncident = z.strictObject({
  id: externalId.optional(),
  minute: smallInt.nullable().default(null),
  minute_plus: smallInt.nullable().default(null),
  period: upTo(10).nullable().default(null),
  kind: z.string().regex(/^[a-z][a-z0-9_]{0,49}$/, 'must be snake_case'),
  side: sideName.nullable().default(null),
  player: playerRef.optional(),
  assist: playerRef.optional(),
  payload: openObject
    .refine(
      (payload) => Buffer.byteLength(JSON.stringify(payload)) <= PAYLOAD_MAX_BYTES,
      `must have at most ${PAYLOAD_MAX_BYTES} bytes as JSON`,
    )
    .default({})
    .meta({ description: `At most ${PAYLOAD_MAX_BYTES} bytes as JSON. A card of a coach has \`role: "coach"\`` }),
});
export type FeedIncident = z.infer<typeof feedIncident>;

const feedOdds = z.strictObject({
  market_name: name,
  market_group: name.nullable().default(null),
  choice_name: name,
  /** Decimal price, for example 2.5. The fractions are computed. */
  decimal_value: z.number().gt(1).max(10_000),
  opening_decimal: z.number().gt(1).max(10_000).nullable().default(null),
  bookmaker: name.nullable().default(null),
  winning: z.boolean().nullable().default(null),
});

/** The member that cards add to a player whom a source only names. */
const OUR_ID = { player_participant_id: true } as const;

/**
 * Blocks in wire form, in which players are given by reference. An absent block changes nothing. `[]` means that the block is
 * known to be empty. For a block that is not a list, null means this.
 */
const feedBlocks = {
  incidents: z.array(feedIncident).max(2_000),
  statistics: z.array(detailBlocks.statistics.element).max(2_000),
  lineups: z
    .array(
      z.strictObject({
        side: sideName,
        formation: upTo(30).nullable().default(null),
        player: playerRef,
        position: upTo(50).nullable().default(null),
        shirt_number: upTo(10).nullable().default(null),
        is_substitute: z.boolean(),
        stats: openObject.default({}),
      }),
    )
    .max(200),
  player_stats: z
    .array(
      z.strictObject({
        player: playerRef,
        side: sideName,
        position: upTo(50).nullable().default(null),
        stats: openObject,
      }),
    )
    .max(200),
  coaches: z
    .array(z.strictObject({ side: sideName, coach_name: name, coach_name_ru: name.nullable().default(null) }))
    .max(20),
  missing_players: z.array(detailBlocks.missing_players.element.omit(OUR_ID)).max(200),
  shotmap: z.array(detailBlocks.shotmap.element.omit({ player: true }).extend({ player: playerRef })).max(500),
  momentum: z.strictObject({ graphPoints: detailBlocks.momentum.shape.graphPoints.max(MAX_ITEMS) }),
  odds: z.array(feedOdds).max(5_000),
  best_players: z.array(detailBlocks.best_players.element.omit(OUR_ID)).max(100),
  win_probability: detailBlocks.win_probability.nullable(),
  votes: detailBlocks.votes.nullable(),
  highlights: z.array(z.strictObject({ title: z.string(), url: httpUrl, thumbnail: httpUrl.nullable() })).max(200),
  average_positions: z.strictObject({
    home: z.array(detailBlocks.average_positions.shape.home.element.omit(OUR_ID)).max(MAX_ITEMS),
    away: z.array(detailBlocks.average_positions.shape.away.element.omit(OUR_ID)).max(MAX_ITEMS),
  }),
  tv_channels: z.record(detailBlocks.tv_channels.keyType, detailBlocks.tv_channels.valueType.max(MAX_ITEMS)),
  points_history: z
    .array(
      detailBlocks.points_history.element.extend({
        points: detailBlocks.points_history.element.shape.points.max(MAX_ITEMS),
      }),
    )
    .max(200),
  innings: detailBlocks.innings.max(20),
  fight: detailBlocks.fight.nullable(),
  commentary: z.array(detailBlocks.commentary.element.omit(OUR_ID)).max(5_000),
} as const;

const envelope = {
  schema: z.literal(FEED_SCHEMA_VERSION),
  provider: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,49}$/, 'must be lower-case letters, digits, dots, dashes and underscores'),
  observed_at: at.meta({ description: `When the provider saw this; at most 5 minutes ahead. ${CALENDAR}` }),
};

const matchState = z
  .strictObject({
    id: externalId,
    sport,
    tournament: tournamentRef,
    season: seasonRef,
    home: participantRef,
    away: participantRef,
    scheduled_start: at.optional(),
    time_tbd: z.boolean().optional(),
    start_time: upTo(100).nullable().optional(),
    round_num: smallInt.nullable().optional(),
    round_name: name.nullable().optional(),
    group_name: name.nullable().optional(),
    status: matchStatus.optional(),
    status_detail: statusDetail.optional(),
    minute: smallInt.nullable().optional(),
    score: z.strictObject({ home: smallInt, away: smallInt }).nullable().optional(),
    period_scores: z
      .array(periodScore.extend({ period: upTo(10).min(1).meta({ maxLength: 10 }) }))
      .max(100)
      .optional(),
    shootout_winner: sideName.nullable().optional().meta({
      description: 'The side that won the shoot-out, if the score of the period PEN or SO is not known',
    }),
    winner: z.enum(['home', 'away', 'draw']).nullable().optional().meta({
      description:
        'The result, if the score does not show it, as after a revised target in cricket, or in a drawn Test match',
    }),
    venue: venueRef.nullable().optional(),
    referee: name.nullable().optional(),
    attendance: z.int().min(0).max(1_000_000).nullable().optional(),
    /** True if neither side plays at home. */
    neutral: z.boolean().nullable().optional(),
    importance: z.int().min(0).max(100).nullable().optional(),
    lineup_confirmed: z.boolean().nullable().optional(),
    finalized: z.boolean().optional(),
    /** True if the provider reports that the match does not exist, because it was a duplicate or a mistake. */
    deleted: z.boolean().optional(),
    weather: weather.nullable().optional(),
    ...(Object.fromEntries(
      Object.entries(feedBlocks).map(([block, schema]) => {
        const sports = BLOCK_SPORTS[block as keyof typeof feedBlocks];
        const optional = schema.optional();
        return [
          block,
          sports === undefined ? optional : optional.meta({ description: `For ${sports.join(', ')} only` }),
        ];
      }),
    ) as {
      [B in keyof typeof feedBlocks]: z.ZodOptional<(typeof feedBlocks)[B]>;
    }),
  })
  .meta({ id: 'FeedMatch' });

export const matchUpdate = z
  .strictObject({ ...envelope, kind: z.literal('match'), match: matchState })
  .superRefine(({ match }, ctx) => {
    for (const [block, sports] of Object.entries(BLOCK_SPORTS)) {
      if (match[block as keyof typeof match] !== undefined && !sports.includes(match.sport)) {
        ctx.addIssue({ code: 'custom', path: ['match', block], message: `exists for ${sports.join(', ')} only` });
      }
    }
    if (findSport(match.sport)?.wickets === true) return;
    for (const [index, { innings }] of (match.period_scores ?? []).entries())
      if (innings !== undefined)
        ctx.addIssue({
          code: 'custom',
          path: ['match', 'period_scores', index, 'innings'],
          message: 'exists for cricket only',
        });
  })
  .meta({ id: 'FeedMatchUpdate' });

const squadEntry = z
  .strictObject({
    tournament: tournamentRef,
    season: seasonRef,
    team: participantRef.omit({ type: true }).extend({ type: z.literal('team').default('team') }),
    shirt_number: upTo(10).optional(),
    position: upTo(50).optional(),
  })
  .meta({ id: 'FeedSquadEntry' });

const participantUpdate = z
  .strictObject({
    ...envelope,
    kind: z.literal('participant'),
    participant: z.strictObject({
      id: externalId.optional(),
      type: z.enum(['team', 'player']),
      sport,
      name,
      name_ru: name.nullable().optional(),
      country: country.optional(),
      gender: gender.default('men'),
      birth_date: date.nullable().optional(),
      aliases: z
        .array(z.strictObject({ name, locale: z.enum(['en', 'ru']).default('en') }))
        .max(100)
        .optional(),
      squads: z.array(squadEntry).max(100).optional().meta({
        description:
          'For players only: the squad lists that have the player. An entry replaces the stored one for the same season and team; stored entries that the update does not mention remain',
      }),
      /** Stadium, position, height_cm and more. Merged key by key. */
      extra: openObject.optional(),
      /** A PNG, JPEG, WebP or GIF file in base64, with at most 700 KB before encoding. */
      image: z.base64().max(960_000).nullable().optional(),
      former_names: formerNames.optional().meta({
        description:
          'For teams only: the complete list, [] for none. Days are inclusive, null is an open end. Each name has a first or a last day, the first is not after the last, and no two names share a day',
      }),
    }),
  })
  .superRefine(({ participant: { type, former_names, squads } }, ctx) => {
    if (type === 'player' && former_names !== undefined)
      ctx.addIssue({ code: 'custom', path: ['participant', 'former_names'], message: 'exist for teams only' });
    if (type === 'team' && squads !== undefined)
      ctx.addIssue({ code: 'custom', path: ['participant', 'squads'], message: 'exist for players only' });
  })
  .meta({ id: 'FeedParticipantUpdate' });

const tournamentUpdate = z
  .strictObject({
    ...envelope,
    kind: z.literal('tournament'),
    tournament: z.strictObject({
      ...tournamentRef.shape,
      sport,
      tier: z.int().min(1).max(20).nullable().optional(),
      importance: z.int().min(0).max(100).optional(),
      amateur: z.boolean().optional(),
      youth: z.boolean().optional(),
      timezone: upTo(60).optional(),
      single_home_fixture: z.boolean().optional(),
      demo: z.boolean().optional(),
      rules: openObject.optional(),
      seasons: z
        .array(
          seasonRef.extend({
            rules: openObject.optional(),
            points_adjustments: z
              .array(
                z.strictObject({
                  participant: participantRef,
                  points: z.int().min(-100).max(100),
                  /** The rank in the table that the organizer has assigned, regardless of points. */
                  position: z.int().min(1).max(1_000).optional(),
                  reason: name.optional(),
                  /** The day from which the decision counts. If absent, it counts from the start of the season. */
                  decided_on: date.optional(),
                }),
              )
              .max(MAX_ITEMS)
              .optional(),
          }),
        )
        .max(500)
        .optional(),
    }),
  })
  .meta({ id: 'FeedTournamentUpdate' });

const venueUpdate = z
  .strictObject({
    ...envelope,
    kind: z.literal('venue'),
    venue: venueRef.extend({ sport: sport.optional(), home_team: participantRef.optional() }),
  })
  .meta({ id: 'FeedVenueUpdate' });

export const feedUpdate = z
  .discriminatedUnion('kind', [matchUpdate, participantUpdate, tournamentUpdate, venueUpdate])
  .meta({
    id: 'FeedUpdate',
    discriminator: {
      propertyName: 'kind',
      mapping: {
        match: '#/components/schemas/FeedMatchUpdate',
        participant: '#/components/schemas/FeedParticipantUpdate',
        tournament: '#/components/schemas/FeedTournamentUpdate',
        venue: '#/components/schemas/FeedVenueUpdate',
      },
    },
    description:
      'What a provider knows now. At most 1 MiB, 100,000 values, 5,000 items in a list and 40 levels; no text contains NUL or half a surrogate pair, no integer is beyond ±(2^53 − 1), no member is named `__proto__`. An update must also agree with what is stored: docs/feed.md lists those rules and their error codes.',
  });

/** A feed update before parsing, still without defaults. */
export type FeedUpdateInput = z.input<typeof feedUpdate>;
export type FeedUpdate = z.infer<typeof feedUpdate>;
export type MatchUpdate = z.infer<typeof matchUpdate>;
export type MatchUpdateInput = z.input<typeof matchUpdate>;
export type MatchInput = MatchUpdateInput['match'];
export type IncidentInput = NonNullable<MatchInput['incidents']>[number];
export type ParticipantUpdate = z.infer<typeof participantUpdate>;
export type TournamentUpdate = z.infer<typeof tournamentUpdate>;
export type VenueUpdate = z.infer<typeof venueUpdate>;
