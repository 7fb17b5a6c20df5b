/** Makes events of a given size in the form that ingest writes. Each event contains the time of publication. */
import { renderEnvelope } from '../../src/wire/envelope.ts';
import { nowUs } from '../usage.ts';

/** In the home side's name, the text before the digits of the publication time. */
export const STAMP = '"name":"sent ';
export const STAMP_DIGITS = 16;

/** @param bytes envelope size */
export function envelopeOf(match: number, sequence: number, tournament: number, bytes: number): string {
  const render = (padding: string) =>
    renderEnvelope('match.goal', {
      schema: 1,
      sequence,
      occurred_at: '2026-03-01T12:00:00Z',
      match: {
        id: match,
        sport: 'football',
        tournament_id: tournament,
        tournament: 'First League',
        season_label: '2025/26',
        status: 'live',
        status_detail: 'in_play',
        minute: 10,
        home: { id: 1, name: `sent ${`${nowUs()}`.padStart(STAMP_DIGITS, '0')}`, name_ru: 'Хозяева', score: 1 },
        away: { id: 2, name: 'Away', name_ru: null, score: 0 },
      },
      previous: { note: padding },
    });
  return render('x'.repeat(Math.max(0, bytes - Buffer.byteLength(render('')))));
}
