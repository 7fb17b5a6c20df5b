/** The event envelope. Each event is rendered once as text. SSE, WebSocket, replay and webhooks send the same bytes. */
import { z } from 'zod';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { detailBlocks, id, incident, matchStatus, openObject, shownStatusDetail } from './match.ts';
import { timestamp } from './time.ts';

/** Increased when a field's meaning changes. */
const ENVELOPE_SCHEMA = 1;
/** Size limit for one envelope, in bytes. */
export const ENVELOPE_MAX_BYTES = 64 * 1024;

const envelopeSide = z.strictObject({
  id,
  name: z.string(),
  name_ru: z.string().nullable(),
  score: z.int().min(0).nullable(),
});

const envelopeMatch = z.strictObject({
  id,
  sport: z.string(),
  tournament_id: id,
  tournament: z.string(),
  season_label: z.string(),
  status: matchStatus,
  status_detail: shownStatusDetail,
  minute: z.int().min(0).nullable(),
  tier: z.int().nullable().optional().meta({ description: "The tournament's tier, from 1. Null if it has none" }),
  importance: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .meta({ description: '0 to 100, as in a card. Events from before 0.3.0 have neither `tier` nor `importance`' }),
  home: envelopeSide,
  away: envelopeSide,
});
export type EnvelopeMatch = z.infer<typeof envelopeMatch>;

export const envelopeData = z
  .strictObject({
    schema: z.literal(ENVELOPE_SCHEMA),
    sample: z
      .literal(true)
      .optional()
      .meta({ description: 'Present in a sample that the account has asked for, about a match that does not exist' }),
    sequence: z.int().min(1),
    occurred_at: timestamp,
    match: envelopeMatch,
    win_probability: detailBlocks.win_probability.optional().meta({
      description:
        "In percent, after the event. Present only if the service has computed it and no provider's value is shown",
    }),
    incident: z.strictObject({ ...incident.shape, action: z.enum(['insert', 'update', 'delete']) }).optional(),
    changes: openObject.optional(),
    previous: openObject.optional(),
  })
  .meta({ id: 'EventData' });
export type EnvelopeData = z.infer<typeof envelopeData>;

/** The schema has no id, because oapi-codegen drops a component if only webhooks refer to it. */
export const envelope = z.strictObject({
  id: z.string().regex(/^evt_\d+_\d+$/),
  type: z.enum(Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]),
  data: envelopeData,
});

/**
 * Renders one envelope. If it exceeds the size limit, parts that a client can fetch in another way are left out: first
 * `changes` and `previous`, then the incident's payload.
 * @param id by default made from the match and the sequence
 */
export function renderEnvelope(
  type: EventType,
  data: EnvelopeData,
  id = `evt_${data.match.id}_${data.sequence}`,
): string {
  const render = (body: EnvelopeData) => JSON.stringify({ id, type, data: body });
  const fits = (text: string) => Buffer.byteLength(text) <= ENVELOPE_MAX_BYTES;
  const whole = render(data);
  if (fits(whole)) return whole;
  const { changes: _changes, previous: _previous, ...rest } = data;
  const short = render(rest);
  if (fits(short) || rest.incident === undefined) return short;
  return render({ ...rest, incident: { ...rest.incident, payload: {} } });
}

/** An example event for the documents: a goal. */
export const EXAMPLE_EVENT: z.infer<typeof envelope> = {
  id: 'evt_397_12',
  type: 'match.goal',
  data: {
    schema: ENVELOPE_SCHEMA,
    sequence: 12,
    occurred_at: '2026-03-01T12:01:30Z',
    match: {
      id: 397,
      sport: 'football',
      tournament_id: 2,
      tournament: 'Touchline Demo Cup',
      season_label: '2026',
      status: 'live',
      status_detail: 'in_play',
      minute: 80,
      tier: 1,
      importance: 90,
      home: { id: 229, name: 'Argentina', name_ru: 'Аргентина', score: 2 },
      away: { id: 230, name: 'France', name_ru: 'Франция', score: 1 },
    },
    incident: {
      id: 5_120,
      action: 'insert',
      minute: 80,
      minute_plus: null,
      period: '2H',
      kind: 'goal',
      side: 'away',
      player_name: 'Kylian Mbappé',
      player_participant_id: 901,
      assist_name: null,
      assist_participant_id: null,
      payload: { goal_type: 'penalty', score: { home: 2, away: 1 } },
    },
  },
};

const ID_AT = '{"id":"'.length;
/** Returns the id at the beginning of a rendered envelope. */
export const eventIdOf = (rendered: string): string => rendered.slice(ID_AT, rendered.indexOf('"', ID_AT));
