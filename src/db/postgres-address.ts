/**
 * The address of Postgres. Its user and password may be renewed while the process runs: each new connection reads them
 * from the file that `DATABASE_URL_FILE` names. Connections that exist are left alone.
 */
import pg from 'pg';
import { postgresUrl } from '../config/postgres-url.ts';
import { RenewedUrl } from './renewed-url.ts';

/** Postgres' codes for a wrong password, and for a user who may not sign in. */
const REFUSALS = new Set(['28P01', '28000']);
export class PostgresAddress extends RenewedUrl {
  /**
   * @param url as the configuration returns it
   * @param file path to a file with the same address
   */
  constructor(url: string, file?: string) {
    super(url, file, (text) => postgresUrl.safeParse(text).data);
  }

  /** Notes whether Postgres has accepted a connection with this address. */
  settle(url: string, error: Error | null | undefined): void {
    if (!error) this.accept(url);
    else if (isRefusal(error)) this.refuse(url);
  }
}

const isRefusal = (error: Error) => REFUSALS.has((error as { code?: string }).code ?? '');

/** Returns the address that the configuration names. */
export const postgresAddress = (config: { databaseUrl: string; databaseUrlFile?: string | undefined }) =>
  new PostgresAddress(config.databaseUrl, config.databaseUrlFile);

type Connected = (error: Error) => void;

/** Returns the class of clients that connect with the address as it is at that time. */
export const createClientClass = (address: PostgresAddress) =>
  class extends pg.Client {
    readonly #url: string;

    constructor(options: pg.ClientConfig = {}) {
      const url = address.current();
      super({ ...options, connectionString: url });
      this.#url = url;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connected: Connected = (error) => {
        address.settle(this.#url, error);
        callback?.(error);
      };
      if (callback !== undefined) {
        super.connect(connected);
        return undefined;
      }
      return (super.connect() as unknown as Promise<pg.Client>).then(
        () => {
          address.settle(this.#url, null);
          return this;
        },
        (error) => {
          address.settle(this.#url, error);
          throw error;
        },
      );
    }
  };

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: unknown) => void) => void;

/** A pool that repeats an attempt to connect, once, if Postgres refuses it and there is another user or password. */
export class RenewedPool extends pg.Pool {
  readonly #address: PostgresAddress;

  constructor(address: PostgresAddress, options: pg.PoolConfig) {
    super({ ...options, Client: createClientClass(address) } as pg.PoolConfig);
    this.#address = address;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Taken): void;
  override connect(callback?: Taken): Promise<pg.PoolClient> | undefined {
    const isRepeated = (error: Error) => isRefusal(error) && this.#address.hasAnother();
    if (callback === undefined)
      return super.connect().catch((error) => {
        if (!isRepeated(error)) throw error;
        return super.connect();
      });
    super.connect((error, client, release) => {
      if (error && isRepeated(error)) super.connect(callback);
      else callback(error, client, release);
    });
    return undefined;
  }
}
