/**
 * Reads an operator's transfers from CSV with columns date, type, player_name, from_team, to_team, and if known fee,
 * fee_currency, loan_until, id; see docs/transfers.md.
 */
import { SPORT_SLUGS } from '../../sports/sports.ts';
import { type ListedTransfer, TRANSFER_TYPES } from '../../transfers/index.ts';
import { gender as genders } from '../../wire/feed-values.ts';
import { csvRows, decimal, isRow, type Row } from '../csv.ts';
import { faultAt, type InputFile } from '../files.ts';
import { eachFile, fileImporter, type ImportItem } from '../importer.ts';
import { readParticipant } from '../listed-participants.ts';
import { parseDay } from '../ranking-lists/ranking-rows.ts';

const PROVIDER = 'touchline';
const COLUMNS = [
  'date',
  'type',
  ['player_name', 'player_participant_id', 'player_id'],
  ['from_team', 'from_participant_id'],
  ['to_team', 'to_participant_id'],
];

export const transfers = fileImporter({
  format: 'transfers',
  provider: PROVIDER,
  description: 'CSV of transfers: date, type, player_name, player_birth_date, from_team, to_team, fee, fee_currency, …',
  expected: 'a CSV file of transfers',
  accepts: ({ name }) => name.endsWith('.csv'),
  readFiles: eachFile(readFile),
});

async function* readFile(file: InputFile): AsyncGenerator<ImportItem> {
  for await (const item of csvRows(file, COLUMNS)) {
    const transfer = isRow(item) ? readTransfer(item.row) : undefined;
    if (!isRow(item)) yield item;
    else if (typeof transfer === 'string') yield faultAt(item.position, transfer);
    else if (transfer) yield { kind: 'transfer', position: item.position, transfer };
  }
}

/** @returns an error text if the row is wrong */
function readTransfer(row: Row): ListedTransfer | string {
  const date = parseDay(row.date);
  if (date === undefined) return `the date ${JSON.stringify(row.date ?? '')} is not a day such as 2024-07-01`;
  const type = TRANSFER_TYPES.find((one) => one === row.type);
  if (type === undefined)
    return `the type ${JSON.stringify(row.type ?? '')} is not one of ${TRANSFER_TYPES.join(', ')}`;
  const [sport, gender] = [row.sport || 'football', genders.safeParse(row.gender || 'men')];
  if (!SPORT_SLUGS.includes(sport)) return `the sport ${JSON.stringify(sport)} is not one of ${SPORT_SLUGS.join(', ')}`;
  if (!gender.success) return `${JSON.stringify(row.gender)} is not a gender`;
  const player = readParticipant(row, 'player_');
  if (typeof player === 'string') return player;
  const [from, to] = [readClub(row, 'from'), readClub(row, 'to')];
  if (typeof from === 'string') return from;
  if (typeof to === 'string') return to;
  if (from === null && to === null) return 'neither the club before nor the club after is given';
  const loan_until = readLoan(row, date);
  if (typeof loan_until === 'object' && loan_until !== null) return loan_until.fault;
  const fee = readFee(row);
  if (typeof fee === 'string') return fee;
  if (player.birth_date !== undefined && player.birth_date >= date) return 'the player was born after the transfer';
  const id = row.id || undefined;
  return { provider: PROVIDER, id, sport, gender: gender.data, player, date, type, from, to, loan_until, ...fee };
}

function readClub(row: Row, side: 'from' | 'to'): ListedTransfer['from'] | string {
  const who = readParticipant({ ...row, [`${side}_name`]: row[`${side}_team`] ?? '' }, `${side}_`);
  if (typeof who === 'string') return who;
  if (who.name === undefined && who.participant_id === undefined) return null;
  return who;
}

function readLoan(row: Row, date: string): string | null | { fault: string } {
  if (!row.loan_until) return null;
  const until = parseDay(row.loan_until);
  if (until === undefined)
    return { fault: `loan_until ${JSON.stringify(row.loan_until)} is not a day such as 2025-06-30` };
  if (row.type !== 'loan') return { fault: `loan_until is given for a ${row.type}: only a loan has it` };
  return until < date ? { fault: `loan_until ${until} is before the loan` } : until;
}

/** Upper bound for one player's fee, in any currency. */
const GREATEST_FEE = 100_000_000_000;
/** Codes that ISO 4217 has withdrawn, for former transfers. */
// biome-ignore format: a list
const FORMER_CURRENCIES = [
  'ATS', 'BEF', 'BGL', 'CSK', 'CYP', 'DDM', 'DEM', 'EEK', 'ESP', 'FIM', 'FRF', 'GRD', 'HRK', 'IEP', 'ITL', 'LTL', 'LUF', 'LVL', 'MTL', 'NLG',
  'PLZ', 'PTE', 'ROL', 'RUR', 'SIT', 'SKK', 'SUR', 'TRL', 'YUD', 'YUM',
];
const CURRENCIES = new Set([...Intl.supportedValuesOf('currency'), ...FORMER_CURRENCIES]);

function readFee({ fee, fee_currency }: Row): Pick<ListedTransfer, 'fee' | 'fee_currency'> | string {
  if (!fee) return { fee: null, fee_currency: null };
  const amount = decimal(fee);
  if (amount === undefined)
    return `the fee ${JSON.stringify(fee)} is not a number such as 15000000: write 0 for a free transfer, and nothing if the fee is not known`;
  if (amount < 0) return `the fee ${fee} is below 0`;
  if (amount > GREATEST_FEE) return `the fee ${fee} is above ${GREATEST_FEE}`;
  const currency = fee_currency?.toUpperCase();
  if (currency && !CURRENCIES.has(currency))
    return `the fee_currency ${JSON.stringify(fee_currency)} is not an ISO 4217 code such as EUR`;
  if (!currency && amount > 0) return `the fee ${fee} has no currency`;
  return { fee: amount, fee_currency: currency || null };
}
