/** Writes events as ingest does: real envelopes into the outbox, each call in one transaction. */
import type pg from 'pg';
import { transaction } from '../../src/db/postgres.ts';
import type { LogRecord } from '../../src/events/event-log.ts';
import { type OutboxRow, writeOutbox } from '../../src/events/outbox.ts';
import { type EnvelopeData, renderEnvelope } from '../../src/wire/envelope.ts';
import type { MatchEventType } from '../../src/wire/event-types.ts';
import { wireTime } from '../../src/wire/time.ts';

export interface Sketch {
  match?: number;
  sport?: string;
  tournament?: number;
  type?: MatchEventType;
  /** The home side's name. */
  name?: string;
  /** Both sides' ids. */
  sides?: readonly [home: number, away: number];
  previous?: Record<string, unknown>;
  /** ms since 1970 */
  occurredAt?: number;
}

/** Creates a writer that numbers each match's events from 1. */
export function eventWriter() {
  const sequences = new Map<number, number>();

  function row({
    match = 1,
    sport = 'football',
    tournament = 7,
    type = 'match.goal',
    name = 'Home',
    sides: [home, away] = [1, 2],
    previous,
    occurredAt = Date.parse('2026-03-01T12:00:00Z'),
  }: Sketch): OutboxRow {
    const sequence = (sequences.get(match) ?? 0) + 1;
    sequences.set(match, sequence);
    const data: EnvelopeData = {
      schema: 1,
      sequence,
      occurred_at: wireTime(occurredAt),
      match: {
        id: match,
        sport,
        tournament_id: tournament,
        tournament: 'First League',
        season_label: '2025/26',
        status: 'live',
        status_detail: 'in_play',
        minute: 10,
        home: { id: home, name, name_ru: 'Хозяева', score: 1 },
        away: { id: away, name: 'Away', name_ru: null, score: 0 },
      },
      ...(previous && { previous }),
    };
    return { match_id: match, sport, tournament_id: tournament, type, envelope: renderEnvelope(type, data) };
  }

  return {
    row,
    /** Writes events. @returns the envelopes */
    async write(pool: pg.Pool, sketches: readonly Sketch[]): Promise<string[]> {
      const rows = sketches.map(row);
      await transaction(pool, (client) => writeOutbox(client, rows));
      return rows.map(({ envelope }) => envelope);
    },
  };
}

/** Makes a log record with an envelope of about `bytes` bytes. */
export function record(cursor: number, over: Partial<LogRecord> = {}, bytes = 60): LogRecord {
  return {
    cursor,
    matchId: 1,
    sport: 'football',
    tournamentId: 7,
    type: 'match.goal',
    envelope: `{"id":"evt_1_${cursor}","pad":"${'x'.repeat(Math.max(0, bytes - 30))}"}`,
    appendedAt: 0,
    ...over,
  };
}
