/** The parts of an event envelope that a page shows. */
import type { LogRecord } from '../../events/index.ts';
import { findSport } from '../../sports/sports.ts';
import { shownCard } from '../../wire/card-counts.ts';
import type { EnvelopeData } from '../../wire/envelope.ts';
import { AWAITING_DATA } from '../../wire/match.ts';

export interface LiveEvent {
  /** Whether the match is in progress after the event. If it is not, the front page does not show the event. */
  isLive: boolean;
  /** The text for the page's script. */
  shown: {
    type: string;
    match: {
      id: number;
      status: string;
      status_detail: string;
      minute: number | null;
      home: { score: number | null };
      away: { score: number | null };
    };
    /** The incident's side. */
    side?: string;
    /** True for a red card, which the front page shows. */
    sent_off?: true;
  };
}

/** Parsed log records. Each record is parsed only once for all pages. */
const parsed = new WeakMap<LogRecord, LiveEvent>();

export function readLiveEvent(record: LogRecord): LiveEvent {
  const known = parsed.get(record);
  if (known !== undefined) return known;
  const { data } = JSON.parse(record.envelope) as { data: Pick<EnvelopeData, 'match' | 'incident'> };
  const { id, sport, status, status_detail, home, away } = data.match;
  // In sports without a clock, the state is the period, which comes with the next refresh.
  const { state = 'minute', score } = findSport(sport) ?? {};
  const minute = state === 'period' ? null : data.match.minute;
  const shown = (value: number | null) => (score?.winnerOnly ? null : value);
  const side = data.incident?.side;
  const event: LiveEvent = {
    isLive: status === 'live' && status_detail !== AWAITING_DATA,
    shown: {
      type: record.type,
      match: {
        id,
        status,
        status_detail,
        minute,
        home: { score: shown(home.score) },
        away: { score: shown(away.score) },
      },
      ...(side && { side }),
      ...(data.incident && shownCard(data.incident) === 'red_cards' && { sent_off: true as const }),
    },
  };
  parsed.set(record, event);
  return event;
}
