/** Wire format of POST /v1/resolve. */
import { z } from 'zod';
import { country, date, externalId, gender, name, sport } from '../wire/feed-values.ts';
import { countryCode, id } from '../wire/match.ts';
import { wireDay } from '../wire/time.ts';

/** Maximum number of rows in a request. */
const MAX_ROWS = 500;
export const NAMED_TYPES = ['team', 'player', 'tournament'] as const;

/** How sure the answer is. */
const CONFIDENCE = ['certain', 'probable', 'possible'] as const;

/** The reasons for an answer, or for the lack of one. */
const REASONS = {
  external_id: 'the id is known',
  birth_date_and_name: 'one player has the name and the birth date',
  name_and_country: 'the name is that of one entity in the country',
  name_and_club: 'the name is that of one player who has played for the club',
  name: 'the name is that of one entity; nothing else supports it',
  several: 'several entities fit, or claim the id',
  unknown_provider: 'nothing of this type has an id of the provider',
  unknown_id: 'the provider is known, but the id is not',
  unknown_name: 'nothing has the name',
  contradiction: 'what has the name has another country or birth date',
} as const;
type Reason = keyof typeof REASONS;

export const row = z
  .strictObject({
    type: z.enum(NAMED_TYPES),
    provider: name.optional().meta({ description: 'Goes with `external_id`' }),
    external_id: externalId.optional(),
    name: name.optional().meta({ description: 'Needed without an id. With an id, it is used if the id is not known' }),
    sport: sport.optional(),
    gender: gender.optional(),
    country: country.optional(),
    birth_date: date.optional().meta({ description: 'For players' }),
    club: name.optional().meta({ description: 'For players: the name of a club for which the player has played' }),
  })
  .superRefine((given, ctx) => {
    const fault = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    if ((given.provider === undefined) !== (given.external_id === undefined))
      fault(given.provider === undefined ? 'provider' : 'external_id', 'provider and external_id go together');
    else if (given.external_id === undefined && given.name === undefined) fault('name', 'a row needs an id or a name');
    if (given.type === 'player') return;
    if (given.birth_date !== undefined) fault('birth_date', 'exists for players only');
    if (given.club !== undefined) fault('club', 'exists for players only');
  })
  .meta({ id: 'RowToResolve' });
export type Row = z.infer<typeof row>;

export const request = z
  .strictObject({
    rows: z.array(row).min(1, 'must have at least 1 row').max(MAX_ROWS, `must have at most ${MAX_ROWS} rows`),
  })
  .meta({ id: 'ResolveRequest' });

const confidence = z.enum(CONFIDENCE);
const candidate = z
  .strictObject({
    id,
    name: z.string(),
    sport: z.string(),
    gender: z.string(),
    country: countryCode.nullable(),
    birth_date: wireDay.nullable(),
  })
  .meta({ id: 'ResolveCandidate' });
export type Candidate = z.infer<typeof candidate>;

const resolution = z
  .strictObject({
    type: z.enum(NAMED_TYPES),
    id: id.nullable().meta({ description: 'Our id. Null if nothing fits, or if several do' }),
    name: z.string().nullable().meta({ description: 'The name of what was found' }),
    confidence: confidence.nullable().meta({
      description:
        'certain: an id, a name with a birth date, or a name in a country for a team or tournament; probable: a name with other support; possible: a name alone, so it may be a namesake. Null without an id of ours',
    }),
    reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]).meta({
      description: Object.entries(REASONS)
        .map(([reason, text]) => `${reason}: ${text}`)
        .join('; '),
    }),
    candidates: z.array(candidate).meta({
      description: 'All that fit, if there are several: at most 10, by id. For a contradiction, all that have the name',
    }),
  })
  .meta({ id: 'Resolution' });
export type Resolution = z.infer<typeof resolution>;

export const reply = z
  .strictObject({
    count: z.int().min(0).meta({ description: 'Rows in the request' }),
    resolved: z.int().min(0).meta({ description: 'Rows with an id of ours' }),
    rows: z.array(resolution).meta({ description: "In the request's order" }),
  })
  .meta({ id: 'ResolveReply' });
