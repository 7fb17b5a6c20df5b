/**
 * Hashes and verifies passwords with argon2id, a few at a time, so that a flood of sign-ins does not delay everything
 * else.
 */
import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '../../http/index.ts';

/** RFC 9106 and the OWASP cheat sheet on password storage: argon2id (the library's default), 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each hash takes a libuv thread and 19 MiB for some 30 ms. Compression and file access need libuv threads as well. */
const MAX_AT_ONCE = 2;
/** Maximum number of clients that may wait in each of the two queues. */
const MAX_WAITING = 100;
/**
 * Maximum number of clients from one network that may wait in each queue. It keeps one network from filling a queue.
 */
const MAX_WAITING_PER_NETWORK = 20;

/** The client for which a password is hashed. */
export interface Asker {
  /** See `networkOf`. */
  network: string;
  /** True if the client has signed in from this browser before, has a session, or holds a link. */
  isKnown: boolean;
}

interface Waiting {
  network: string;
  start: () => void;
}

/** First in, first out. One limit applies to all clients together, and one to each network. */
class Queue {
  readonly #waiting: Waiting[] = [];
  readonly #byNetwork = new Map<string, number>();

  /** @throws {Problem} unavailable if the queue is full */
  join(network: string): Promise<void> {
    const same = this.#byNetwork.get(network) ?? 0;
    if (this.#waiting.length >= MAX_WAITING || same >= MAX_WAITING_PER_NETWORK)
      throw unavailable('Too many people are signing in at the moment.');
    this.#byNetwork.set(network, same + 1);
    return new Promise((start) => this.#waiting.push({ network, start }));
  }

  /** @returns false if the queue is empty */
  startNext(): boolean {
    const next = this.#waiting.shift();
    if (next === undefined) return false;
    const left = this.#byNetwork.get(next.network)! - 1;
    if (left === 0) this.#byNetwork.delete(next.network);
    else this.#byNetwork.set(next.network, left);
    next.start();
    return true;
  }
}

export class PasswordHasher {
  /** The hash of a random password. Passwords are compared with it if no hash is stored. */
  readonly #decoy: string;
  readonly #cost: typeof COST;
  readonly #known = new Queue();
  readonly #strangers = new Queue();
  #running = 0;
  /** The queues take turns, so that unknown clients get at most half the time while a known client waits. */
  #isTurnOfKnown = true;

  private constructor(decoy: string, cost: typeof COST) {
    this.#decoy = decoy;
    this.#cost = cost;
  }

  /** @param cost cost of new hashes; tests that do not measure it set a lower one */
  static async open(cost = COST): Promise<PasswordHasher> {
    return new PasswordHasher(await hash('the password of nobody', cost), cost);
  }

  /**
   * @returns `$argon2id$…`, with parameters and salt
   * @throws {Problem} unavailable if the queue is full
   */
  hash(password: string, asker: Asker): Promise<string> {
    return this.#inTurn(asker, () => hash(password, this.#cost));
  }

  /**
   * Verifies a password. Takes the same time and fails in the same way whether or not the member has one, so that it
   * reveals nothing.
   * @param stored null if there is none
   * @throws {Problem} unavailable if the queue is full
   */
  async verify(stored: string | null, password: string, asker: Asker): Promise<boolean> {
    const isRight = await this.#inTurn(asker, () => verify(stored ?? this.#decoy, password));
    return isRight && stored !== null;
  }

  async #inTurn<T>({ network, isKnown }: Asker, work: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_AT_ONCE) this.#running += 1;
    else await (isKnown ? this.#known : this.#strangers).join(network);
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  /** Starts the next job when one has finished. */
  #startNext(): void {
    const queues = this.#isTurnOfKnown ? [this.#known, this.#strangers] : [this.#strangers, this.#known];
    this.#isTurnOfKnown = !this.#isTurnOfKnown;
    if (!queues.some((queue) => queue.startNext())) this.#running -= 1;
  }
}
