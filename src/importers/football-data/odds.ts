/** Reads the odds columns from football-data.co.uk, such as B365H, PSCD, Avg>2.5 and AHh. */
import { dataRows } from '../../wire/data-file.ts';
import { decimal, type Row } from '../csv.ts';

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

/** Names for the columns with the opening and the closing price. */
interface Columns {
  opening: string;
  closing: string;
}
interface Choice extends Columns {
  name: string;
  winning: boolean | null;
}
interface Market {
  name: string;
  group: string;
  choices: readonly Choice[];
}

/** The columns are named once, since joining the names for each row takes longer than reading the prices. */
const BOOKMAKERS = dataRows('bookmakers.csv', ['prefix', 'short_prefix', 'bookmaker']).map(bookmakerColumns);
type Bookmaker = ReturnType<typeof bookmakerColumns>;

function bookmakerColumns({
  prefix,
  short_prefix,
  bookmaker,
}: Record<'prefix' | 'short_prefix' | 'bookmaker', string>) {
  const short = short_prefix || prefix;
  const columns = (from: string, suffix: string): Columns => ({
    opening: `${from}${suffix}`,
    closing: `${from}C${suffix}`,
  });
  return {
    bookmaker: bookmaker || null,
    /** A row with none of these columns has no prices from the bookmaker. */
    required: [`${prefix}H`, `${prefix}CH`, `${short}>2.5`, `${short}C>2.5`, `${short}AHH`],
    /** Set for Pinnacle's prices as PH, PD, PA, which only files outside the main leagues have. */
    outside: prefix === 'P' ? 'PH' : null,
    home: columns(prefix, 'H'),
    draw: columns(prefix, 'D'),
    away: columns(prefix, 'A'),
    over: columns(short, '>2.5'),
    under: columns(short, '<2.5'),
    firstOfHandicap: { opening: `${short}AHH`, closing: '' },
    secondOfHandicap: { opening: `${short}AHA`, closing: '' },
  };
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
  for (const bookmaker of BOOKMAKERS) {
    if (!bookmaker.required.some((column) => column in row)) continue;
    if (bookmaker.outside !== null && !(bookmaker.outside in row)) continue;
    for (const market of readMarkets(bookmaker, row, score)) {
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
          bookmaker: bookmaker.bookmaker,
          winning: choice.winning,
        });
      }
    }
  }
  return entries;
}

function readMarkets(of: Bookmaker, row: Row, score: Score): Market[] {
  const outcome = score && Math.sign(score.home - score.away);
  const over = score && score.home + score.away > 2.5;
  const choice = (name: string, { opening, closing }: Columns, winning: boolean | undefined): Choice => ({
    name,
    opening,
    closing,
    winning: winning ?? null,
  });
  const wins = (sign: number) => outcome !== undefined && outcome === sign;
  const markets: Market[] = [
    {
      name: '1x2',
      group: '1x2',
      choices: [
        choice('1', of.home, score && wins(1)),
        choice('X', of.draw, score && wins(0)),
        choice('2', of.away, score && wins(-1)),
      ],
    },
    {
      name: 'over_under_2.5',
      group: 'total',
      choices: [choice('over', of.over, over), choice('under', of.under, over === undefined ? undefined : !over)],
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
        choice('1', of.firstOfHandicap, settled ? margin > 0 : undefined),
        choice('2', of.secondOfHandicap, settled ? margin < 0 : undefined),
      ],
    });
  }
  return markets;
}
