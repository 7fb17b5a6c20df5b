/**
 * Orders hits. A hit's score is the probability that somebody who means the entity types the query, times the prior
 * probability that the entity is meant at all (Bayes' rule, without the constant that all hits share):
 *
 *     score = quality · e^(PRIOR_SPREAD · (prominence − 1))
 *
 * Quality, from 0 to 1, measures how well the query matches a name. Prominence, from 0 to 1, is a logarithm of evidence (see
 * prominence.ts), since search interest spans orders of magnitude. The most prominent entity is PRIOR_RATIO times as likely
 * as one known only by name. A surname therefore finds its famous bearer rather than an obscure club with that name, while a
 * full name, which only one entity has, finds that entity.
 */

/** The most prominent entity is this many times as likely as one without any evidence. */
const PRIOR_RATIO = 40;
export const PRIOR_SPREAD = Math.log(PRIOR_RATIO);

/**
 * Factor if the query is an entity's whole alias, since it may also be another entity's own name. If the hits include that
 * entity, the next factor applies as well.
 */
const ALIAS = 0.9;
const ALIAS_OF_ANOTHER = 0.7;
/** Factor if the query is a national team's whole name. "Jordan" is more likely to mean the country than someone with that first name. */
const NATION = 2;
/**
 * Factor for a women's team or tournament if the query does not mention women and also matches another entity. People who
 * mean the women's team type "women".
 */
const WOMEN_UNSAID = 0.5;
/** The corresponding factor for all sports but football. Prominence compares only entities within one sport. */
const SPORT_UNSAID = 0.25;
const MAIN_SPORT = 'football';

/** Match quality, by the typed part of the name. */
export const QUALITY = {
  /** The whole name. */
  exact: 1,
  /** The name's last words, as a surname. */
  trailing: 0.5,
  /** The name's first words. */
  leading: 0.45,
  /** Words in the middle. */
  inner: 0.2,
  /** Whole words in another order. */
  reordered: 0.4,
  /** Whole words and initials, in any order, such as "Young A.". Also if a player's stored name is abbreviated in this way. */
  initials: 0.5,
  /** A prefix of the name. The first value is for the shortest prefix, the second for nearly the whole name. */
  prefix: [0.12, 0.45],
  /** Each word is a prefix of a word in the name. */
  prefixes: [0.08, 0.3],
  /** A whole name with one or two typos in a word. */
  corrected: [0.2, 0.1],
  /** Factor for a mistyped surname, and for any typo in a part of a longer name. */
  partCorrected: [0.6, 0.4],
  /** Trigrams shared with a part of the name. Multiplied by the similarity. */
  similar: 0.05,
  /** Factor for words that sound the same but are spelled differently, because a short word sounds like many words. */
  spelledOtherwise: 0.3,
  shortSpelledOtherwise: 0.25,
  /** Factor for a part of a tournament name, because many names contain "league", "cup" and countries. */
  partOfTournament: 0.5,
} as const;

/** The lowest factor for whole words from a long name. See `shorter` in name-queries.ts. */
const LEAST_OF_WHOLE_WORDS = 0.95;

export interface Candidate {
  id: number;
  quality: number;
  prominence: number;
  gender: string;
  /**
   * True if the query is the entity's name in identity, or the Russian name under which it is shown. False for any other
   * name. Null for players, because their identity contains no full name.
   */
  isOwnName: boolean | null;
  /** True for a national team. */
  isNation: boolean;
  sport: string;
  /** `team`, `player` or `tournament`. */
  kind: string;
}

export interface Ranked {
  id: number;
  /** See `Ranking.ranked`. */
  relevance: number;
  /** The score. It can be compared between all hits for a query, participants and tournaments alike. */
  score: number;
}

const rankingScore = (candidate: Candidate): number =>
  candidate.quality * Math.exp(PRIOR_SPREAD * (candidate.prominence - 1)) * nameFactor(candidate);

/** Returns true if the query is the entity's whole own name, and false if it is a whole alias. Null if it is neither. */
const wholeName = ({ quality, isOwnName }: Candidate) => (quality === QUALITY.exact ? isOwnName : null);

function nameFactor(candidate: Candidate): number {
  const isOwn = wholeName(candidate);
  if (isOwn === false) return ALIAS;
  return isOwn && candidate.isNation ? NATION : 1;
}

const RELEVANCE_EXPONENT = 0.25;

/** Merges the hits from several rankings of one query, best first. Relevance is computed from the overall best hit. */
export function mergeRanked<T extends Ranked>(...rankings: readonly (readonly T[])[]): T[] {
  const hits = rankings.flat().sort((a, b) => b.score - a.score);
  const [first] = hits;
  if (first === undefined) return [];
  return hits.map((hit) => ({ ...hit, relevance: first.relevance * (hit.score / first.score) ** RELEVANCE_EXPONENT }));
}

interface Hit {
  id: number;
  quality: number;
  score: number;
  /** True for a women's team or tournament if the spelling does not mention women. */
  isWomenUnsaid: boolean;
  sport: string;
  kind: string;
  /** See `wholeName`. */
  isOwn: boolean | null;
}

const bestQuality = (hits: readonly Hit[]) => Math.max(0, ...hits.map(({ quality }) => quality));

/** Collects the hits for several spellings and kinds of matching. Each entity is listed once, with its best hit. */
export class Ranking {
  readonly #hits = new Map<number, Hit>();
  #best = 0;

  add(candidates: readonly Candidate[], isGenderSaid: boolean): void {
    for (const candidate of candidates) {
      const { id, quality } = candidate;
      const score = rankingScore(candidate);
      if (score <= (this.#hits.get(id)?.score ?? -1)) continue;
      const isWomenUnsaid = candidate.gender === 'women' && !isGenderSaid;
      const { sport, kind } = candidate;
      this.#hits.set(id, { id, quality, score, isWomenUnsaid, sport, kind, isOwn: wholeName(candidate) });
      this.#best = Math.max(this.#best, score);
    }
  }

  get size(): number {
    return this.#hits.size;
  }

  /** True if a name contains all words in the query. Names that are merely similar are then not searched for. */
  get hasWholeWords(): boolean {
    return [...this.#hits.values()].some(({ quality }) => quality >= QUALITY.reordered * LEAST_OF_WHOLE_WORDS);
  }

  /** Score of the best hit. 0 if there is none. */
  get bestScore(): number {
    return this.#best;
  }

  /**
   * Returns the hits, best first. The first hit's relevance follows from its match quality, and is 1 for a whole name. Later
   * hits are less likely to be meant, so their relevance is lower. An exponent spreads the values over the range from 0 to 1
   * without changing their order.
   */
  ranked(): Ranked[] {
    const found = [...this.#hits.values()];
    const bestOther = bestQuality(found.filter(({ isWomenUnsaid }) => !isWomenUnsaid));
    const mainSport = found.filter(({ sport }) => sport === MAIN_SPORT);
    const isOwned = found.some(({ isOwn }) => isOwn);
    const isSportUnsaid = (hit: Hit) =>
      hit.sport !== MAIN_SPORT && hit.quality <= bestQuality(mainSport.filter(({ kind }) => kind === hit.kind));
    const hits = found
      .map((hit) => ({
        ...hit,
        score:
          hit.score *
          (hit.isWomenUnsaid && hit.quality <= bestOther ? WOMEN_UNSAID : 1) *
          (isSportUnsaid(hit) ? SPORT_UNSAID : 1) *
          (isOwned && hit.isOwn === false ? ALIAS_OF_ANOTHER : 1),
      }))
      .sort((a, b) => b.score - a.score || b.quality - a.quality || a.id - b.id);
    const [first] = hits;
    if (first === undefined) return [];
    return hits.map(({ id, score }) => ({
      id,
      score,
      relevance: Math.min(1, first.quality * (score / first.score)) ** RELEVANCE_EXPONENT,
    }));
  }
}
