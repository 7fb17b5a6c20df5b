/** Collects what a reply about games says: the games as then known, updates, and unknown values. */
import type { z } from 'zod';
import type { MatchInput } from '../wire/feed-update.ts';
import { fittingUpdates } from './fitting-match.ts';
import { type KnownGame, type KnownGames, nearGames } from './polled-game.ts';
import type { ProviderReply, ProviderUpdate, Reading } from './provider.ts';
import { isRecord, Reader, readWhole } from './reader.ts';

type Games<G> = Record<string, G>;

/** A game as a reply gives it. */
export interface GameRead {
  match: MatchInput;
  /** The parts that were left out, with reasons. */
  warnings: string[];
}

export class GameUpdates<G extends KnownGame> extends Reader {
  readonly games: Games<G>;
  /** When the reply arrived, ms. */
  readonly at: number;
  readonly #updates: ProviderUpdate[] = [];

  /** @param before the games that were known before the reply */
  constructor(before: Readonly<Games<G>>, at: number) {
    super();
    this.games = { ...before };
    this.at = at;
  }

  /** Adds an update. @param path where the game is in the reply; empty if the reply is about one game */
  add(match: MatchInput, path = ''): void {
    this.#updates.push(...fittingUpdates(match, path, this));
  }

  /** Reports which parts of a game were left out. */
  warn(path: string, warnings: readonly string[]): void {
    for (const warning of warnings) this.report(path, warning);
  }

  /**
   * Returns a reading without changes, for a reply that the provider does not understand or does not believe. The reading
   * reports one value from the reply.
   */
  unread(path: string, value: unknown): Reading<KnownGames<G>> {
    this.report(path, value);
    return this.reading();
  }

  /** Returns the reading of a reply about one game. */
  reading(): Reading<KnownGames<G>> {
    return { known: { games: this.games }, updates: this.#updates, unknown: this.unknown };
  }

  /** Returns the reading of a list. Games whose start is no longer near are dropped. */
  nearReading(): Reading<KnownGames<G>> {
    return { ...this.reading(), known: { games: nearGames(this.games, this.at) } };
  }
}

/** True if a reply is empty. It may be before the game begins. */
const isEmpty = (body: unknown): boolean =>
  body === null || body === '' || (isRecord(body) && Object.keys(body).length === 0);

/**
 * Creates the reader for replies about one known game.
 * @param mayBeEmpty true if the source sends an empty reply before a game begins
 * @param read reads a reply that fits the schema into the known games; returns an error text if the reply is unusable
 */
export const gameReader =
  <Reply extends object, G extends KnownGame>(
    { schema, mayBeEmpty = false }: { schema: z.ZodType<Reply>; mayBeEmpty?: boolean },
    read: (reply: Reply, game: G, into: GameUpdates<G>, id: string) => Reading<KnownGames<G>> | string,
  ) =>
  ({ body, receivedAt }: ProviderReply, id: string, known: KnownGames<G>) => {
    const game = known.games[id];
    if (!game) return `the game ${id} is not known`;
    const into = new GameUpdates(known.games, receivedAt);
    if (mayBeEmpty && isEmpty(body)) return game.phase === 'ahead' ? into.reading() : 'the reply is empty';
    const reply = readWhole(schema, body);
    return typeof reply === 'string' ? reply : read(reply, game, into, id);
  };
