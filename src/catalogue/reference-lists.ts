/** Reference lists with every value that the service can emit, its meaning and a schema. */
import { z } from 'zod';
import { SPORT_SLUGS } from '../sports/sports.ts';
import { envelopeData } from '../wire/envelope.ts';
import { EVENT_TYPES, type EventType } from '../wire/event-types.ts';
import { INCIDENT_KINDS, type IncidentKind } from '../wire/incident-kinds.ts';
import { AWAITING_DATA, AWAITING_DATA_MEANINGS, id, STATUS_DETAILS } from '../wire/match.ts';
import { timestamp } from '../wire/time.ts';

const KINDS: [string, IncidentKind][] = Object.entries(INCIDENT_KINDS);
const kindSports = ({ sports }: IncidentKind): readonly string[] => sports ?? SPORT_SLUGS;
/** Event types that may come without an incident, because the match state alone can cause the event. */
const WITHOUT_INCIDENT: readonly string[] = ['match.period_started', 'match.period_ended'];
const ABOUT_ANY_INCIDENT: readonly string[] = ['match.incident_updated', 'match.incident_deleted'];
const TELLS_CHANGES: readonly string[] = [
  'match.rescheduled',
  'match.score_changed',
  'match.correction',
  'match.incident_updated',
];
const TELLS_PREVIOUS = [...TELLS_CHANGES, 'match.goal_cancelled', 'match.incident_deleted'];

/** Lists the incident kinds that an event of this type can carry. Empty if it carries none. */
function kindsOf(type: EventType): [string, IncidentKind][] {
  if (ABOUT_ANY_INCIDENT.includes(type)) return KINDS;
  if (type === 'match.goal_cancelled') return KINDS.filter(([kind]) => kind === 'goal');
  return KINDS.filter(([, { event }]) => event === type);
}

/** Returns the schema for an event type's `data`. `changes` and `previous` are omitted if they would make the schema too large. */
function eventDataSchema(type: EventType): z.ZodType {
  if (type.startsWith('webhook.')) {
    const challenge = type === 'webhook.challenge' && { challenge: z.string() };
    return z.strictObject({ subscription_id: id, sent_at: timestamp, ...challenge });
  }
  const { incident, changes, previous, ...common } = envelopeData.shape;
  const kinds = kindsOf(type).map(([kind]) => kind);
  const carried = incident.unwrap().extend({ kind: z.enum(kinds) });
  return z.strictObject({
    ...common,
    ...(kinds.length > 0 && { incident: WITHOUT_INCIDENT.includes(type) ? carried.optional() : carried }),
    ...(TELLS_CHANGES.includes(type) && { changes }),
    ...(TELLS_PREVIOUS.includes(type) && { previous }),
  });
}

/** Removes the ids with which OpenAPI names schemas, because a standalone schema has no references. */
const jsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    reused: 'inline',
    override: ({ jsonSchema: written }) => {
      delete written.id;
    },
  }) as Record<string, unknown>;

let allEventTypes: ReturnType<typeof listEventTypes> | undefined;

function listEventTypes() {
  return (Object.keys(EVENT_TYPES) as EventType[]).map((type) => {
    const kinds = kindsOf(type).map(([, kind]) => kind);
    const sports = SPORT_SLUGS.filter(
      (slug) => kinds.length === 0 || kinds.some((kind) => kindSports(kind).includes(slug)),
    );
    return { type, meaning: EVENT_TYPES[type], sports, schema: jsonSchema(eventDataSchema(type)) };
  });
}

export function eventTypes(sport?: string) {
  // Computed only once, because building the schemas takes milliseconds.
  allEventTypes ??= listEventTypes();
  const event_types = allEventTypes.filter(({ sports }) => sport === undefined || sports.includes(sport));
  return { count: event_types.length, event_types };
}

/** Lists the incident kinds. A kind's schema describes `payload`, which may have more members. */
export function incidentKinds(sport?: string) {
  const list = KINDS.map(([kind, { meaning, event, payload, ...of }]) => ({
    kind,
    meaning,
    sports: [...kindSports({ meaning, event, payload, ...of })],
    event_type: event,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: Object.fromEntries(Object.entries(payload).map(([member, description]) => [member, { description }])),
    },
  }));
  const incident_kinds = list.filter(({ sports }) => sport === undefined || sports.includes(sport));
  return { count: incident_kinds.length, incident_kinds };
}

/** Lists the statuses, which are the same for every sport. */
export function statuses() {
  const reported = Object.entries(STATUS_DETAILS).map(([status_detail, of]) => ({ status_detail, ...of }));
  const awaiting = Object.entries(AWAITING_DATA_MEANINGS).map(([status, meaning]) => {
    return { status_detail: AWAITING_DATA, status, meaning };
  });
  const list = [...reported, ...awaiting].map(({ status, status_detail, meaning }) => ({
    status,
    status_detail,
    meaning,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { status: { const: status }, status_detail: { const: status_detail } },
      required: ['status', 'status_detail'],
    },
  }));
  return { count: list.length, statuses: list };
}
