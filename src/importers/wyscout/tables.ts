/** Reads the Wyscout data set's tables. */
import { nationTeam } from '../../identity/merges.ts';
import type { Row } from '../csv.ts';
import { JoinedTables } from '../joined-tables.ts';

/** Table rows by match, team or player. */
export class WyscoutTables extends JoinedTables<TableName> {
  /** Returns a player by id; undefined if the player is not in the list. */
  player(id: string | undefined) {
    const row = id === undefined ? undefined : this.of('players', id)[0];
    if (!row) return undefined;
    const country = nationTeam(row.passport_country ?? '')?.country;
    const birthDate = /^\d{4}-\d\d-\d\d$/u.test(row.birth_date ?? '') ? row.birth_date! : undefined;
    return {
      id: row.player_id!,
      name: playerName(row),
      ...(birthDate && { birth_date: birthDate }),
      ...(country && { country }),
    };
  }
}

export const MATCH_TABLES = ['lineups', 'substitutions', 'incidents', 'shots', 'team_stats', 'player_stats'] as const;

export type TableName = (typeof MATCH_TABLES)[number] | 'teams' | 'players';

/**
 * Returns the full form of a short name, which other sources use. The player's full name gives the missing parts: "T.
 * Alderweireld" with Toby is Toby Alderweireld, and "Bartra" with Marc Bartra Aregall is Marc Bartra. Casemiro stays
 * Casemiro.
 */
export function playerName(row: Row): string {
  const plain = (part: string | undefined) => unescaped(part ?? '').trim();
  const [short, first, last] = [plain(row.short_name), plain(row.first_name), plain(row.last_name)];
  const [given = ''] = first.split(/\s+/u);
  const [, initial, surname] = /^(\p{L})\.\s*(.+)$/u.exec(short) ?? [];
  if (initial && given.startsWith(initial)) return `${given} ${surname}`;
  const isSurname = !short.includes(' ') && last.split(/\s+/u).includes(short!) && short !== given && given !== '';
  return isSurname ? `${given} ${short}` : short || `${first} ${last}`.trim();
}

/** Replaces a literal backslash-u escape in the text with the letter. */
export const unescaped = (text: string) =>
  text.replace(/\\u([0-9a-f]{4})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
