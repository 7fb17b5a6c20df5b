/** Defines how many typos are tolerated, and measures the distance between words. */

/** With more typos, a word counts as another word. */
const MAX_TYPOS = 3;

/**
 * Returns the tolerated number of typos: one for every five letters. A word with fewer letters may have none, since too many
 * short words differ by one letter.
 */
export const typosAllowed = (word: string): number => Math.min(MAX_TYPOS, Math.floor([...word].length / 5));

/**
 * Counts the letters that are added, dropped, changed or swapped with a neighbour between `a` and `b` (optimal string
 * alignment distance).
 */
export function editDistance(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  let beforeLast: number[] = [];
  let last = right.map((_, column) => column);
  last.push(right.length);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}

/**
 * Returns `word` with each pair of neighbouring letters swapped. A short word with swapped letters shares too few trigrams with the right
 * word to be found by trigrams.
 */
export function swaps(word: string): string[] {
  const letters = [...word];
  return letters
    .slice(1)
    .map((letter, index) =>
      [...letters.slice(0, index), letter, ...letters.slice(index, index + 1), ...letters.slice(index + 2)].join(''),
    );
}
