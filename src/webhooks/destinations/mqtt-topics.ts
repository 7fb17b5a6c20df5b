/** The messages that MQTT brokers get: the event, the retained state of the match, and sensors for Home Assistant. */
import type { EnvelopeMatch } from '../../wire/envelope.ts';
import type { Message } from './destination.ts';

export interface Published {
  topic: string;
  payload: string;
  retain: boolean;
  properties?: { messageExpiryInterval?: number; contentType?: string; userProperties?: Record<string, string> };
}

/** The state of a match is removed from the broker a day after the last event. */
const EXPIRY_S = 86_400;
/** The first part of the topics that Home Assistant listens to. */
const DISCOVERY = 'homeassistant';

/** The part of an event's data that is published. */
interface EventData {
  occurred_at: string;
  /** Missing for test events and notices. */
  match?: EnvelopeMatch;
}

export const readData = ({ envelope }: Pick<Message, 'envelope'>): EventData =>
  (JSON.parse(envelope) as { data: EventData }).data;

const isNamed = (match: EnvelopeMatch, participantIds: readonly number[]) =>
  [match.home, match.away].filter(({ id }) => participantIds.includes(id));

const matchTopic = (prefix: string, { sport, tournament_id, id }: EnvelopeMatch) =>
  `${prefix}/${sport}/${tournament_id}/${id}`;
const teamTopic = (prefix: string, id: number) => `${prefix}/team/${id}`;

/** Returns the event and, if it is about a match, the state of that match and of the named teams. */
export function stateMessages(
  { envelope, type, headers }: Message,
  data: EventData,
  { prefix, participantIds }: { prefix: string; participantIds: readonly number[] },
): Published[] {
  const { match } = data;
  const event = {
    payload: envelope,
    retain: false,
    properties: { contentType: 'application/json', userProperties: { ...headers } },
  };
  if (match === undefined) return [{ topic: `${prefix}/${type.replace('.', '/')}`, ...event }];
  const payload = JSON.stringify(toState(match, data.occurred_at));
  return [
    { topic: `${matchTopic(prefix, match)}/${type}`, ...event },
    {
      topic: `${matchTopic(prefix, match)}/state`,
      payload,
      retain: true,
      properties: { messageExpiryInterval: EXPIRY_S, contentType: 'application/json' },
    },
    // The last match of a team is shown until the next one.
    ...isNamed(match, participantIds).map(({ id }) => ({ topic: teamTopic(prefix, id), payload, retain: true })),
  ];
}

function toState({ home, away, ...match }: EnvelopeMatch, at: string) {
  const hasScore = home.score !== null && away.score !== null;
  return { state: hasScore ? `${home.score}–${away.score}` : match.status, ...match, home, away, updated_at: at };
}

/**
 * Returns the messages from which Home Assistant makes sensors: one for each named team of the match or, if the
 * subscription names none, one for the match. https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
 */
export function discoveryMessages(
  { match }: EventData,
  {
    prefix,
    participantIds,
    subscriptionId,
  }: { prefix: string; participantIds: readonly number[]; subscriptionId: number },
): Published[] {
  if (match === undefined) return [];
  // Two installations on one broker have different prefixes.
  const node = `${prefix.replaceAll(/[^A-Za-z0-9]/g, '_')}_${subscriptionId}`;
  const sensor = (object: string, name: string, stateTopic: string, expiry?: number): Published => ({
    topic: `${DISCOVERY}/sensor/${node}/${object}/config`,
    payload: JSON.stringify({
      name,
      unique_id: `${node}_${object}`,
      default_entity_id: `sensor.touchline_${object}`,
      icon: 'mdi:scoreboard',
      state_topic: stateTopic,
      value_template: '{{ value_json.state }}',
      json_attributes_topic: stateTopic,
      device: { identifiers: [`${node}`], name: 'Touchline', manufacturer: 'Touchline' },
      origin: { name: 'Touchline' },
    }),
    retain: true,
    ...(expiry !== undefined && { properties: { messageExpiryInterval: expiry } }),
  });
  if (participantIds.length > 0) {
    return isNamed(match, participantIds).map(({ id, name }) => sensor(`team_${id}`, name, teamTopic(prefix, id)));
  }
  const name = `${match.home.name} – ${match.away.name}`;
  return [sensor(`match_${match.id}`, name, `${matchTopic(prefix, match)}/state`, EXPIRY_S)];
}
