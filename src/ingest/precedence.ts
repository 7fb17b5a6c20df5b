/**
 * Whose word counts. Each field or block of an entity belongs to the best-ranked provider that has given it, so the
 * result does not depend on the order of imports. Lower is better. A provider that is not listed is a live feed and
 * ranks best: what is seen now beats history.
 */
const LIVE_RANK = 0;

interface Source {
  rank: number;
  /** Other ranks for single blocks. */
  blocks?: Record<string, number>;
  /** What a card's `meta.sources` says. */
  attribution: string;
}

/**
 * Of the blocks of state, `start` is the kick-off. A date without a time never replaces a time, whoever says so. Ranks
 * differ in every block, or which of two sources counts would depend on their order.
 */
const SOURCES: Record<string, Source> = {
  touchline: { rank: 10, attribution: 'Touchline' },
  fjelstul: {
    rank: 20,
    attribution:
      'The Fjelstul World Cup Database, (c) 2023 Joshua C. Fjelstul, Ph.D., CC BY-SA 4.0, github.com/jfjelstul/worldcup; converted to match cards',
  },
  'stadium-coordinates': {
    rank: 28,
    attribution: 'github.com/jokecamp/FootballData, (c) 2013 Joe Kampschmidt, MIT',
  },
  'football-data': { rank: 30, blocks: { start: 45 }, attribution: 'football-data.co.uk' },
  'football-datasets': {
    rank: 31,
    blocks: { start: 900 },
    attribution: 'github.com/datasets/football-datasets, PDDL',
  },
  openfootball: { rank: 40, attribution: 'openfootball, CC0' },
  'openfootball-text': { rank: 41, attribution: 'openfootball, CC0' },
  'openfootball-clubs': { rank: 42, attribution: 'openfootball, CC0' },
  'openfootball-players': { rank: 43, attribution: 'openfootball, CC0' },
  wyscout: {
    rank: 50,
    // openfootball's texts may know the score alone, wyscout the halves too: a group is taken as a whole.
    blocks: { start: 35, state: 38, lineups: 25 },
    attribution: 'Pappalardo, L., Massucco, E. (2019) Soccer match event dataset, figshare; Sci Data 6:236, CC BY 4.0',
  },
  'international-results': {
    rank: 60,
    blocks: { start: 910 },
    attribution: 'github.com/martj42/international_results, CC0',
  },
  schochastics: { rank: 70, blocks: { start: 920 }, attribution: 'schochastics/football-data, ODC-BY' },
  fivethirtyeight: { rank: 80, blocks: { start: 930 }, attribution: 'FiveThirtyEight, CC BY 4.0' },
  'touchline-demo': { rank: 95, attribution: 'Touchline demo: recorded from public reports, or generated' },
};

/** Lower is better; equal only for the same provider or two live feeds. `block` is a block or group of fields. */
export function rankOf(provider: string, block?: string): number {
  const source = SOURCES[provider];
  if (!source) return LIVE_RANK;
  return (block === undefined ? undefined : source.blocks?.[block]) ?? source.rank;
}

/** A provider that tells what it sees now, not history. */
export const isLive = (provider: string): boolean => rankOf(provider) === LIVE_RANK;

/** How providers are to be named where their data is shown, by the licence's text; one that is not here by its own id. */
export const attributions = (): { provider: string; attribution: string }[] =>
  Object.entries(SOURCES).map(([provider, { attribution }]) => ({ provider, attribution }));
