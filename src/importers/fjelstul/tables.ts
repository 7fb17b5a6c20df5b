/** The Fjelstul World Cup Database's tables, joined by match. */
import { nationTeam } from '../../identity/merges.ts';
import { isDay } from '../../providers/index.ts';
import type { Row } from '../csv.ts';
import { JoinedTables } from '../joined-tables.ts';

/** The tables by match, with players and stadiums by id. */
export class Tables extends JoinedTables<TableName> {
  /** Returns the person in a row, with the date of birth, which distinguishes namesakes. */
  player(row: Row) {
    const birthDate = this.of('players', row.player_id ?? '')[0]?.birth_date ?? '';
    const country = nationTeam(row.player_team_name ?? row.team_name ?? '')?.country;
    return {
      id: row.player_id!,
      name: personName(row),
      ...(isDay(birthDate) && { birth_date: birthDate }),
      ...(country && { country }),
    };
  }
}

/** Returns a full name such as "Lionel Messi". If a person has only one name, the missing name is "not applicable". */
export const personName = (row: Row) => [known(row.given_name), known(row.family_name)].filter(Boolean).join(' ');

export const sideOf = (row: Row): 'home' | 'away' => (row.home_team === '1' ? 'home' : 'away');

export const known = (value: string | undefined) =>
  value && !['not applicable', 'not available'].includes(value) ? value : undefined;

/** Required columns in each table. */
export const COLUMNS = {
  players: ['player_id', 'birth_date'],
  stadiums: ['stadium_id', 'stadium_capacity'],
  goals: ['match_id', 'goal_id', 'player_id', 'minute_regulation', 'match_period', 'own_goal', 'penalty'],
  bookings: ['match_id', 'booking_id', 'player_id', 'minute_regulation', 'match_period', 'yellow_card', 'red_card'],
  substitutions: [
    'match_id',
    'substitution_id',
    'player_id',
    'minute_regulation',
    'match_period',
    'going_off',
    'coming_on',
  ],
  penalty_kicks: ['match_id', 'penalty_kick_id', 'player_id', 'converted'],
  player_appearances: ['match_id', 'player_id', 'position_code', 'starter', 'substitute'],
  manager_appearances: ['match_id', 'family_name', 'given_name'],
  referee_appearances: ['match_id', 'family_name', 'given_name'],
} as const;

export type TableName = keyof typeof COLUMNS;

export const TABLES = Object.keys(COLUMNS) as TableName[];
/** Tables whose rows are parts of a match. */
export const MATCH_TABLES = TABLES.filter((name) => COLUMNS[name][0] === 'match_id');
