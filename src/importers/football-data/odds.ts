/** Reads the odds columns from football-data.co.uk, such as B365H, PSCD, Avg>2.5 and AHh. */
import { dataRows } from '../../wire/data-file.ts';
import { decimal, type Row } from '../csv.ts';

const BOOKMAKERS = dataRows('bookmakers.csv', ['prefix', 'short_prefix', 'bookmaker']);

interface Entry {
  market_name: string;
  market_group: string;
  choice_name: string;
  decimal_value: number;
  opening_decimal: number | null;
  bookmaker: string | null;
  winning: boolean | null;
}
type Score = { home: number; away: number } | undefined;

interface Choice {
  name: string;
  /** Names for the columns with the opening and the closing price. */
  opening: string;
  closing: string;
  winning: boolean | null;
}
interface Market {
  name: string;
  group: string;
  choices: readonly Choice[];
}

const EXPECTED_TOP = 10_000;
const price = (cell: string | undefined) => {
  const value = decimal(cell);
  return value !== undefined && value > 1 && value <= EXPECTED_TOP ? value : undefined;
};

/**
 * Reads the prices in one row. `decimal_value` is the closing price or, if the row has none, the opening price. Only an
 * entry with a closing price has `opening_decimal`.
 */
export function readOdds(row: Row, score: Score): Entry[] {
  const entries: Entry[] = [];
  for (const { prefix, short_prefix, bookmaker } of BOOKMAKERS) {
    const short = short_prefix || prefix;
    if (
      !['H', 'CH'].some((end) => `${prefix}${end}` in row) &&
      !['>2.5', 'C>2.5', 'AHH'].some((end) => `${short}${end}` in row)
    )
      continue;
    // Files outside the main leagues have Pinnacle's prices as PH, PD, PA.
    if (prefix === 'P' && !('PH' in row)) continue;
    for (const market of readMarkets(prefix, short, row, score)) {
      for (const choice of market.choices) {
        const opening = price(row[choice.opening]);
        const closing = price(row[choice.closing]);
        const value = closing ?? opening;
        if (value === undefined) continue;
        entries.push({
          market_name: market.name,
          market_group: market.group,
          choice_name: choice.name,
          decimal_value: value,
          opening_decimal: closing === undefined ? null : (opening ?? null),
          bookmaker: bookmaker || null,
          winning: choice.winning,
        });
      }
    }
  }
  return entries;
}

function readMarkets(prefix: string, short: string, row: Row, score: Score): Market[] {
  const outcome = score && Math.sign(score.home - score.away);
  const over = score && score.home + score.away > 2.5;
  const choice = (name: string, from: string, suffix: string, winning: boolean | undefined): Choice => ({
    name,
    opening: `${from}${suffix}`,
    closing: `${from}C${suffix}`,
    winning: winning ?? null,
  });
  const wins = (sign: number) => outcome !== undefined && outcome === sign;
  const markets: Market[] = [
    {
      name: '1x2',
      group: '1x2',
      choices: [
        choice('1', prefix, 'H', score && wins(1)),
        choice('X', prefix, 'D', score && wins(0)),
        choice('2', prefix, 'A', score && wins(-1)),
      ],
    },
    {
      name: 'over_under_2.5',
      group: 'total',
      choices: [
        choice('over', short, '>2.5', over),
        choice('under', short, '<2.5', over === undefined ? undefined : !over),
      ],
    },
  ];
  const line = decimal(row.AHh ?? row.BbAHh);
  if (line !== undefined) {
    const margin = score && score.home + line - score.away;
    // On a quarter line, the stake may be partly returned. On a whole line that ends level, the stake is returned. Such
    // a bet is neither won nor lost.
    const settled = margin !== undefined && Number.isInteger(line * 2) && margin !== 0;
    markets.push({
      name: `asian_handicap_${line > 0 ? '+' : ''}${line}`,
      group: 'handicap',
      choices: [
        { name: '1', opening: `${short}AHH`, closing: '', winning: settled ? margin > 0 : null },
        { name: '2', opening: `${short}AHA`, closing: '', winning: settled ? margin < 0 : null },
      ],
    });
  }
  return markets;
}
