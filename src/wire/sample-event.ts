/**
 * Sample events, which a developer sends to the streams of an account. A sample has the form of a real event, and `data.sample`
 * marks it. Its ids belong to no stored match, tournament or team.
 */
import { z } from 'zod';
import { type EnvelopeData, EXAMPLE_EVENT, renderEnvelope } from './envelope.ts';
import { EVENT_TYPES, type MatchEventType } from './event-types.ts';
import { INCIDENT_KINDS, type IncidentKind } from './incident-kinds.ts';
import { STATUS_DETAILS, type StatusDetail } from './match.ts';
import { wireTime } from './time.ts';

/** An event as streams filter and write it, without a position in the log. */
const sampleSchema = z.object({
  matchId: z.int(),
  sport: z.string(),
  tournamentId: z.int(),
  type: z.string(),
  envelope: z.string(),
});
export type SampleEvent = z.infer<typeof sampleSchema>;

/** Reads a sample that another process has sent. @returns null if a different release has sent it in another form */
export function readSample(text: string): SampleEvent | null {
  try {
    return sampleSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export interface SampleRequest {
  type: MatchEventType;
  /** Slug. By default football, or a sport that has such events. */
  sport?: string | undefined;
  /** The tournament's id, for streams that filter by it. */
  tournamentId?: number | undefined;
}

export const MATCH_EVENT_TYPES = Object.keys(EVENT_TYPES).filter((type) => type.startsWith('match.')) as [
  MatchEventType,
  ...MatchEventType[],
];

const SAMPLE_ID = 999_999_999;
const HOME_ID = SAMPLE_ID - 1;
const AWAY_ID = SAMPLE_ID - 2;
const PLAYER_ID = SAMPLE_ID - 3;

const STATUS: Partial<Record<MatchEventType, StatusDetail>> = {
  'match.created': 'not_started',
  'match.rescheduled': 'not_started',
  'match.postponed': 'postponed',
  'match.cancelled': 'cancelled',
  'match.deleted': 'cancelled',
  'match.lineup_confirmed': 'not_started',
  'match.lineup_updated': 'not_started',
  'match.period_ended': 'break',
  'match.suspended': 'suspended',
  'match.abandoned': 'abandoned',
  'match.finished': 'ended',
  'match.finalized': 'ended',
  'match.correction': 'ended',
};
/** Types that report a change of an earlier incident. */
const ACTIONS: Partial<Record<MatchEventType, 'update' | 'delete'>> = {
  'match.incident_updated': 'update',
  'match.incident_deleted': 'delete',
  'match.goal_cancelled': 'delete',
};

const KINDS: readonly [string, IncidentKind][] = Object.entries(INCIDENT_KINDS);
const kindFor = (type: MatchEventType): [string, IncidentKind] | undefined =>
  KINDS.find(([, { event }]) => event === (ACTIONS[type] === undefined ? type : 'match.goal'));

function sampleIncident(type: MatchEventType, kind: string): NonNullable<EnvelopeData['incident']> {
  const example = EXAMPLE_EVENT.data.incident!;
  return {
    ...example,
    action: ACTIONS[type] ?? 'insert',
    kind,
    player_name: 'Sample Player',
    player_participant_id: PLAYER_ID,
    payload: kind === 'goal' ? example.payload : {},
  };
}

/** @param id the event's id @param now ms since 1970 */
export function sampleEvent(
  { type, sport, tournamentId = SAMPLE_ID }: SampleRequest,
  id: string,
  now: number,
): SampleEvent {
  const [kind, { sports = [] } = {}] = kindFor(type) ?? [];
  const slug = sport ?? (sports.length === 0 || sports.includes('football') ? 'football' : sports[0]!);
  const detail = STATUS[type] ?? 'in_play';
  const { status } = STATUS_DETAILS[detail];
  const example = EXAMPLE_EVENT.data.match;
  const isPlayed = status !== 'scheduled';
  const incident = kind === undefined ? undefined : sampleIncident(type, kind);
  const data: EnvelopeData = {
    schema: EXAMPLE_EVENT.data.schema,
    sample: true,
    sequence: 1,
    occurred_at: wireTime(now),
    match: {
      ...example,
      id: SAMPLE_ID,
      sport: slug,
      tournament_id: tournamentId,
      tournament: 'Sample League',
      status,
      status_detail: detail,
      minute: status === 'live' ? example.minute : null,
      home: { id: HOME_ID, name: 'Sample United', name_ru: null, score: isPlayed ? example.home.score : null },
      away: { id: AWAY_ID, name: 'Sample City', name_ru: null, score: isPlayed ? example.away.score : null },
    },
    ...(incident && { incident }),
    ...(ACTIONS[type] !== undefined && incident && { previous: { ...incident, action: undefined } }),
  };
  return { matchId: SAMPLE_ID, sport: slug, tournamentId, type, envelope: renderEnvelope(type, data, id) };
}
