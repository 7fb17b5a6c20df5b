/**
 * The order of hits. A hit's score is the probability that somebody who means the entity types the query, times the prior probability
 * that the entity is meant at all (Bayes' rule, without the constant that all hits share):
 *
 *     score = quality · e^(PRIOR_SPREAD · (prominence − 1))
 *
 * Quality, from 0 to 1, says how the query matches a name. Prominence, from 0 to 1, is a logarithm of evidence (see prominence.ts), since
 * what people look for is spread over orders of magnitude: the most prominent entity is PRIOR_RATIO times as likely as one of which only
 * the name is known. So a surname finds the famous bearer and not an obscure club of that name, while a full name, which matches
 * nobody else, finds its owner.
 */

/** How much likelier the most prominent entity is to be meant than one without any evidence. */
const PRIOR_RATIO = 40;
export const PRIOR_SPREAD = Math.log(PRIOR_RATIO);

/** For a whole name that is an alias, where another entity may bear it as its own. */
const ALIAS = 0.9;
/**
 * A team or tournament of women, where the query does not say so and matches another entity as well: people write "women" when they mean
 * them.
 */
const WOMEN_UNSAID = 0.5;

/** Quality of a match, by how much of the name was typed. */
export const QUALITY = {
  /** The whole name. */
  exact: 1,
  /** Its last words, as a surname. */
  trailing: 0.5,
  /** Its first words. */
  leading: 0.45,
  /** Words in the middle. */
  inner: 0.2,
  /** Whole words in another order. */
  reordered: 0.4,
  /** A beginning of the name, the more of it the better: at least, and with nearly all of it. */
  prefix: [0.12, 0.45],
  /** Each word begins a word of the name. */
  prefixes: [0.08, 0.3],
  /** One typo, and two, in a word. */
  corrected: [0.12, 0.06],
  /** Shares trigrams with a part of the name: times the similarity. */
  similar: 0.05,
  /** Factors of words that sound the same but are spelled in another way: a short word has many that sound alike. */
  spelledOtherwise: 0.3,
  shortSpelledOtherwise: 0.25,
  /** Factor of words of a tournament's name: "league", "cup" and countries are in the names of many. */
  partOfTournament: 0.5,
} as const;

/** Whole words of a long name count a little less: see `shorter` in names.ts. */
const LEAST_OF_WHOLE_WORDS = 0.95;

export interface Candidate {
  id: number;
  quality: number;
  prominence: number;
  gender: string;
  /** Whether the query is its name in identity; false for other names. Null for players, whose identity holds no full name. */
  isOwnName: boolean | null;
}

export interface Ranked {
  id: number;
  /** See `Ranking.best`. */
  relevance: number;
}

const rankingScore = ({ quality, prominence, isOwnName }: Candidate): number =>
  quality * Math.exp(PRIOR_SPREAD * (prominence - 1)) * (quality === QUALITY.exact && isOwnName === false ? ALIAS : 1);

const RELEVANCE_EXPONENT = 0.25;

interface Hit {
  id: number;
  quality: number;
  score: number;
  /** It is of women, and the spelling did not say so. */
  isWomenUnsaid: boolean;
}

/** Collects the hits of several spellings and ways to match; each entity counts once, with its best. */
export class Ranking {
  readonly #hits = new Map<number, Hit>();
  #best = 0;

  add(candidates: readonly Candidate[], isGenderSaid: boolean): void {
    for (const candidate of candidates) {
      const { id, quality } = candidate;
      const score = rankingScore(candidate);
      if (score <= (this.#hits.get(id)?.score ?? -1)) continue;
      this.#hits.set(id, { id, quality, score, isWomenUnsaid: candidate.gender === 'women' && !isGenderSaid });
      this.#best = Math.max(this.#best, score);
    }
  }

  get size(): number {
    return this.#hits.size;
  }

  /** Whether a name has all words of the query: what looks like it is not wanted then. */
  get hasWholeWords(): boolean {
    return [...this.#hits.values()].some(({ quality }) => quality >= QUALITY.reordered * LEAST_OF_WHOLE_WORDS);
  }

  /** Of the best hit; 0 without one. */
  get bestScore(): number {
    return this.#best;
  }

  /**
   * The best first. The relevance of the first follows from the quality of its match: 1 for a whole name. That of another hit is smaller,
   * as it is less likely to be meant. Its root spreads relevance over the range from 0 to 1; the order is the same.
   */
  ranked(): Ranked[] {
    const found = [...this.#hits.values()];
    const others = found.filter(({ isWomenUnsaid }) => !isWomenUnsaid).map(({ quality }) => quality);
    const bestOther = Math.max(0, ...others);
    const hits = found
      .map(({ isWomenUnsaid, ...hit }) => ({
        ...hit,
        score: hit.score * (isWomenUnsaid && hit.quality <= bestOther ? WOMEN_UNSAID : 1),
      }))
      .sort((a, b) => b.score - a.score || b.quality - a.quality || a.id - b.id);
    const [first] = hits;
    if (first === undefined) return [];
    return hits.map(({ id, score }) => ({
      id,
      relevance: Math.min(1, first.quality * (score / first.score)) ** RELEVANCE_EXPONENT,
    }));
  }
}
