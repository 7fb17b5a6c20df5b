/** Rates the search by its hits for queries with known answers. Pure. */

/** A query with its answer and hits. */
export interface Answer {
  query: string;
  category: string;
  /** Place of the first right answer, from 1. Null if the reply has none. */
  place: number | null;
  /** Number of hits. */
  found: number;
  /** Name of the first hit. */
  first: string | null;
  expected: string;
  milliseconds: number;
}

export interface Score {
  queries: number;
  /** Share of queries with the right answer in first place, and in the first three. */
  at1: number;
  at3: number;
  /** Mean of 1 / place. A missing answer counts as 0. */
  reciprocalRank: number;
  /** Number of replies without a hit. */
  empty: number;
  /** Response times in milliseconds. */
  p50: number;
  p99: number;
}

const share = (part: number, of: number) => (of === 0 ? 0 : part / of);

export function scoreAnswers(answers: readonly Answer[]): Score {
  const times = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const within = (places: number) => answers.filter(({ place }) => place !== null && place <= places).length;
  const reciprocal = answers.reduce((sum, { place }) => sum + (place === null ? 0 : 1 / place), 0);
  return {
    queries: answers.length,
    at1: share(within(1), answers.length),
    at3: share(within(3), answers.length),
    reciprocalRank: share(reciprocal, answers.length),
    empty: answers.filter(({ found }) => found === 0).length,
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

const HEAD = ['', 'queries', 'at 1', 'at 3', 'MRR', 'empty', 'p50 ms', 'p99 ms'];
const cells = (label: string, score: Score) => [
  label,
  String(score.queries),
  score.at1.toFixed(3),
  score.at3.toFixed(3),
  score.reciprocalRank.toFixed(3),
  String(score.empty),
  score.p50.toFixed(1),
  score.p99.toFixed(1),
];

/** Returns one line for each category, in file order, and then one for all queries. */
export function scoreLines(answers: readonly Answer[]): string[] {
  const categories = [...new Set(answers.map(({ category }) => category))];
  const rows = [
    HEAD,
    ...categories.map((one) => cells(one, scoreAnswers(answers.filter(({ category }) => category === one)))),
    cells('all', scoreAnswers(answers)),
  ];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  '),
  );
}

/** Returns queries whose right answer was not first, the worst first. */
export function missLines(answers: readonly Answer[]): string[] {
  const placed = ({ place }: Answer) => place ?? Number.POSITIVE_INFINITY;
  return answers
    .filter(({ place }) => place !== 1)
    .sort((a, b) => placed(b) - placed(a) || (a.query < b.query ? -1 : 1))
    .map(({ query, category, place, first, expected }) => {
      const where = place === null ? 'not found' : `in place ${place}`;
      return `${query} (${category}): ${expected} ${where}; first: ${first ?? 'nothing'}`;
    });
}
