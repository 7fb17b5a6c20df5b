/** Hashes and verifies passwords with argon2id, a few at a time, so that a flood of them delays nothing else. */
import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '../../http/errors.ts';

/** RFC 9106 and the OWASP cheat sheet on password storage: argon2id (the library's default), 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each takes a thread of libuv and 19 MiB for some 30 ms; compression and files need threads as well. */
const MAX_AT_ONCE = 2;
/** In each of the two queues. */
const MAX_WAITING = 100;
/** In each queue, for one network: others find room whatever it sends. */
const MAX_WAITING_PER_NETWORK = 20;

/** For whom a password is hashed. */
export interface Asker {
  /** See `networkOf`. */
  network: string;
  /** Has signed in before from this browser, has a session, or holds a link. */
  isKnown: boolean;
}

interface Waiting {
  network: string;
  start: () => void;
}

/** Waits in the order of arrival, with a bound for all and one for each network. */
class Queue {
  readonly #waiting: Waiting[] = [];
  readonly #byNetwork = new Map<string, number>();

  /** @throws {Problem} unavailable if too many wait */
  join(network: string): Promise<void> {
    const same = this.#byNetwork.get(network) ?? 0;
    if (this.#waiting.length >= MAX_WAITING || same >= MAX_WAITING_PER_NETWORK)
      throw unavailable('Too many people sign in at the moment.');
    this.#byNetwork.set(network, same + 1);
    return new Promise((start) => this.#waiting.push({ network, start }));
  }

  /** @returns false if nobody waits */
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
  /** The hash of a password that nobody has. */
  readonly #decoy: string;
  readonly #known = new Queue();
  readonly #strangers = new Queue();
  #running = 0;
  /** The two queues take turns, so that strangers take half of the time at most while somebody known waits. */
  #isTurnOfKnown = true;

  private constructor(decoy: string) {
    this.#decoy = decoy;
  }

  static async open(): Promise<PasswordHasher> {
    return new PasswordHasher(await hash('the password of nobody', COST));
  }

  /**
   * @returns `$argon2id$…`, with its parameters and salt
   * @throws {Problem} unavailable if too many wait
   */
  hash(password: string, asker: Asker): Promise<string> {
    return this.#inTurn(asker, () => hash(password, COST));
  }

  /**
   * Takes the same time, and fails alike, whether there is a stored password or not.
   * @param stored null: nobody has this password
   * @throws {Problem} unavailable if too many wait
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

  /** Hands the place of a finished one on. */
  #startNext(): void {
    const queues = this.#isTurnOfKnown ? [this.#known, this.#strangers] : [this.#strangers, this.#known];
    this.#isTurnOfKnown = !this.#isTurnOfKnown;
    if (!queues.some((queue) => queue.startNext())) this.#running -= 1;
  }
}
