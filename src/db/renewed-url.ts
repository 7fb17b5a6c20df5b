/**
 * The address of a store, whose user and password may be renewed while the process runs: the file that has the address is read again for
 * each connection or request.
 */
import { readFileSync } from 'node:fs';

/**
 * How long a refused user or password is not tried again, in ms, if there is another. The file and the store cannot be changed at the
 * same moment, so for a while only the earlier password is accepted.
 */
const REST_MS = 1_000;

const CREDENTIALS = /^(\w+:\/\/)[^/?#]*@/;
const withoutCredentials = (url: string) => url.replace(CREDENTIALS, '$1');

export class RenewedUrl {
  readonly #first: string;
  readonly #file: string | undefined;
  readonly #parse: (text: string) => string | undefined;
  #accepted: string | null = null;
  #refused: { url: string; until: number } | null = null;

  /**
   * @param url as the configuration returns it
   * @param file path to a file with the same address
   * @param parse returns the address in a file's text as the configuration would; undefined if the text is damaged
   */
  constructor(url: string, file: string | undefined, parse: (text: string) => string | undefined) {
    this.#first = url;
    this.#file = file;
    this.#parse = parse;
  }

  /** Returns the address for a new connection. */
  current(): string {
    const written = this.#read();
    const isResting = this.#refused?.url === written && performance.now() < this.#refused.until;
    return isResting && this.#accepted !== null ? this.#accepted : written;
  }

  /** Returns whether a new connection would use an address other than the one that was refused last. */
  hasAnother(): boolean {
    return this.#refused !== null && this.current() !== this.#refused.url;
  }

  /** Notes that the store has accepted the user and the password of this address. */
  accept(url: string): void {
    this.#accepted = url;
  }

  /** Notes that the store has refused them. */
  refuse(url: string): void {
    this.#refused = { url, until: performance.now() + REST_MS };
  }

  /**
   * A file that is missing, damaged, or names another server or database is ignored, since a process may not use two
   * databases at a time.
   */
  #read(): string {
    const known = this.#accepted ?? this.#first;
    if (this.#file === undefined) return known;
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8').trim();
    } catch {
      return known;
    }
    const url = this.#parse(text);
    return url !== undefined && withoutCredentials(url) === withoutCredentials(this.#first) ? url : known;
  }
}
