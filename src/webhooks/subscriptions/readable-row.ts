/**
 * Makes subscription rows fit for display, whatever manual SQL or a restored backup has put into them. One bad row
 * must not hide the account's good rows or stop the operator. The owner sees the cause in the row's `fault`.
 */
import type { CustomHeader } from './custom-headers.ts';
import { type Gap, parseGap } from './gap.ts';

/** Columns whose content may be invalid. */
interface Stored {
  eventTypes: string[];
  sports: string[];
  leagues: number[];
  matchIds: number[];
  participantIds: number[];
  conditions: string[];
  headers: CustomHeader[];
  metadata: Record<string, string>;
  gap: Gap | null;
  disabledAt: Date | null;
  disabledReason: 'no_success' | 'gone' | null;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isId = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

function toMetadata(value: unknown): Record<string, string> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => isText(pair[1])));
}

function toHeaders(value: unknown): CustomHeader[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (header): header is CustomHeader =>
      isText(header?.name) && typeof header.secret === 'boolean' && (isText(header.value) || header.value === null),
  );
}

export const readableRow = <R extends Stored>(row: R): R => ({
  ...row,
  eventTypes: row.eventTypes.filter(isText),
  sports: row.sports.filter(isText),
  leagues: row.leagues.filter(isId),
  matchIds: row.matchIds.filter(isId),
  participantIds: row.participantIds.filter(isId),
  conditions: row.conditions.filter(isText),
  headers: toHeaders(row.headers),
  metadata: toMetadata(row.metadata),
  gap: parseGap(row.gap),
  disabledReason: row.disabledAt === null ? null : (row.disabledReason ?? 'no_success'),
});
