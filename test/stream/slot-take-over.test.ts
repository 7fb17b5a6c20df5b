import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Queryable } from '../../src/db/postgres.ts';
import type { Slot, SlotResult } from '../../src/stream/connection-slot.ts';
import { dropExpiredSlots } from '../../src/stream/connection-slot-queries.ts';
import { ConnectionSlots, type ReplacedNotices } from '../../src/stream/connection-slots.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LONG_FORMS } from '../support/long-forms.ts';

const PROCESSES = 3;
const SLOTS = 3;
const RENEWAL_MS = 5_000;
const HOUR = 3_600_000;
const PATIENCE_MS = 30_000;
const quiet = { error() {}, info() {} };

type Action =
  /** A client opens a stream. Clients with a name take over the slot of an earlier connection. */
  | { kind: 'open'; process: number; client: string | null }
  /** The connection that has been open longest, or one after it, ends. */
  | { kind: 'close'; index: number }
  | { kind: 'renew' }
  | { kind: 'kill'; process: number }
  /** The process's row expires although the process still runs, because it stood still. */
  | { kind: 'expire'; process: number }
  /** The next notice about a replaced connection is lost. */
  | { kind: 'lose notice' };

const process = fc.nat(PROCESSES - 1);
const calm: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      process,
      client: fc.constantFrom('phone', 'board', null),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('close' as const), index: fc.nat(SLOTS) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'renew' as const }) },
);
const rough: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: calm },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('kill' as const, 'expire' as const), process }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'lose notice' as const }) },
);

interface Connection {
  client: string | null;
  /** The connections of the same client that were open when this one was requested. */
  earlier: readonly Connection[];
  /** Undefined until the request has been answered. */
  outcome?: Slot | Exclude<SlotResult, 'taken'>;
  isLost: boolean;
  isClosed: boolean;
}

/** A process, as far as slots are concerned. Once it is killed, statements get no answers. */
class Process {
  readonly counted: ConnectionSlots;
  readonly connections: Connection[] = [];
  isKilled = false;
  #endStatements: (error: Error) => void = () => {};
  readonly #ended = new Promise<never>((_, reject) => {
    this.#endStatements = reject;
  });

  constructor(pool: Queryable, notices: ReplacedNotices) {
    this.#ended.catch(() => {});
    const query = async (...args: unknown[]) => {
      if (this.isKilled) return this.#ended;
      const answer = await (pool.query as (...all: unknown[]) => Promise<unknown>)(...args);
      return this.isKilled ? this.#ended : answer;
    };
    this.counted = new ConnectionSlots({
      pool: { query: query as Queryable['query'] },
      logger: quiet,
      notices,
      ttlMs: HOUR,
      renewalMs: RENEWAL_MS,
      answerWithinMs: HOUR,
    });
  }

  get #inside() {
    return this.counted as unknown as { process: string; hasWork(): boolean };
  }

  get name(): string {
    return this.#inside.process;
  }

  open(subject: string, client: string | null, earlier: readonly Connection[] = []): Connection {
    const connection: Connection = { client, earlier, isLost: false, isClosed: false };
    this.connections.push(connection);
    const lost = () => {
      assert.equal(connection.isLost, false, 'a connection loses its slot once');
      connection.isLost = true;
    };
    void this.counted.acquire({ subject, slots: SLOTS, client, keyId: null }, { lost }).then((outcome) => {
      connection.outcome = outcome;
    });
    return connection;
  }

  close(connection: Connection): void {
    connection.isClosed = true;
    if (typeof connection.outcome === 'object') connection.outcome.release();
  }

  /** Returns the connections that are open. */
  live(): Connection[] {
    return this.isKilled
      ? []
      : this.connections.filter(({ outcome, isLost, isClosed }) => typeof outcome === 'object' && !isLost && !isClosed);
  }

  /** Gives up what is left of the process. */
  async end(): Promise<void> {
    this.isKilled = true;
    this.#endStatements(new Error('ended'));
    await this.counted.close();
  }

  /** Whether requests, releases or a renewal wait for a statement. */
  isBusy(): boolean {
    return !this.isKilled && (this.#inside.hasWork() || this.connections.some(({ outcome }) => outcome === undefined));
  }
}

/** Several processes that share an account's slots. The scheduler decides when statements run, and when answers and notices come. */
class Course {
  readonly #db: TestDatabase;
  readonly #scheduler: fc.Scheduler;
  readonly #subject: string;
  readonly #listeners: ((name: string) => void)[] = [];
  readonly #killed: Process[] = [];
  readonly #processes: Process[];
  #running = 0;
  #end = () => {};
  readonly #ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });
  #noticesToLose = 0;

  constructor(db: TestDatabase, scheduler: fc.Scheduler, subject: string) {
    this.#db = db;
    this.#scheduler = scheduler;
    this.#subject = subject;
    this.#processes = Array.from({ length: PROCESSES }, () => this.#start());
  }

  #later = (): Promise<unknown> => Promise.race([this.#scheduler.schedule(Promise.resolve()), this.#ended]);

  #start(): Process {
    const query = async (...args: unknown[]) => {
      await this.#later();
      this.#running += 1;
      try {
        return await (this.#db.pool.query as (...all: unknown[]) => Promise<unknown>)(...args);
      } finally {
        this.#running -= 1;
        await this.#later();
      }
    };
    return new Process(
      { query: query as unknown as Queryable['query'] },
      {
        onReplaced: (listener) => {
          this.#listeners.push(listener);
          return () => {};
        },
        publishReplaced: (names) => {
          for (const name of names) {
            if (this.#noticesToLose > 0) this.#noticesToLose -= 1;
            else for (const listener of this.#listeners) void this.#later().then(() => listener(name));
          }
        },
      },
    );
  }

  async take(action: Action): Promise<void> {
    if (action.kind === 'open') {
      const { client } = action;
      const earlier = this.live().filter((one) => client !== null && one.client === client);
      this.#processes[action.process]!.open(this.#subject, client, earlier);
    } else if (action.kind === 'renew') mock.timers.tick(RENEWAL_MS);
    else if (action.kind === 'lose notice') this.#noticesToLose += 1;
    else if (action.kind === 'close') {
      const open = this.#processes.flatMap((one) => one.live().map((connection) => ({ one, connection })));
      const chosen = open[action.index % Math.max(1, open.length)];
      chosen?.one.close(chosen.connection);
    } else {
      const one = this.#processes[action.process]!;
      if (action.kind === 'kill') {
        one.isKilled = true;
        this.#killed.push(one);
        this.#processes[action.process] = this.#start();
      }
      await this.#expire([one.name]);
    }
  }

  #expire(names: readonly string[]): Promise<unknown> {
    return this.#db.pool.query("UPDATE stream_process SET expires_at = '-infinity' WHERE process = ANY ($1)", [names]);
  }

  /** Takes scheduled steps until there are none, and all processes are idle. */
  async settle(): Promise<void> {
    for (let still = 0; still < 3; still += 1) {
      while (this.#running > 0) await turn();
      if (this.#scheduler.count() > 0) await this.#scheduler.waitOne();
      if (this.#scheduler.count() > 0 || this.#processes.some((one) => one.isBusy())) still = -1;
      await turn();
    }
  }

  /** Lets every process renew twice, as happens within 10 s: after that, each one knows which slots it has lost. */
  async finish(): Promise<void> {
    for (let renewals = 0; renewals < 2; renewals += 1) {
      await this.#expire(this.#killed.map(({ name }) => name));
      mock.timers.tick(RENEWAL_MS);
      await this.settle();
    }
    // Every sixtieth renewal does this as well.
    await dropExpiredSlots(this.#db.pool);
  }

  live(): Connection[] {
    return this.#processes.flatMap((one) => one.live());
  }

  async check(): Promise<void> {
    const live = this.live();
    assert.ok(live.length <= SLOTS, `${live.length} connections are open`);
    // Two connections that a client opens at the same moment, in different processes, may both stay.
    for (const { earlier } of live)
      assert.ok(!earlier.some((one) => live.includes(one)), 'the earlier connection of the client has ended');
    const { rows } = await this.#db.pool.query<{ holder: string; slot: number }>(
      `SELECT holder, slot FROM stream_lease JOIN stream_process ON process = left(holder, 12)
       WHERE subject = $1 AND stream_process.expires_at >= now() ORDER BY holder`,
      [this.#subject],
    );
    const held = live.map(({ outcome }) => outcome as Slot).sort((a, b) => (a.holder < b.holder ? -1 : 1));
    assert.deepEqual(
      rows,
      held.map(({ holder, slot }) => ({ holder, slot })),
      'the stored slots are those of the open connections',
    );
    // Nothing that has ended keeps a slot.
    for (let more = live.length; more <= SLOTS; more += 1) {
      const asked = this.#processes[more % PROCESSES]!.open(this.#subject, null);
      await this.settle();
      assert.equal(typeof asked.outcome === 'object', more < SLOTS, `${more} of ${SLOTS} are taken: ${asked.outcome}`);
    }
  }

  async end(): Promise<void> {
    this.#end();
    await Promise.all([...this.#killed, ...this.#processes].map((one) => one.end()));
  }
}

describe('connection slots that processes take over from each other, however statements and notices interleave,', function () {
  this.timeout(600_000);
  let db: TestDatabase;
  let subjects = 0;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  for (const [name, action] of [
    ['belong to one connection each while clients reconnect elsewhere', calm],
    ['are not lost and not given twice if processes are killed or stand still, and notices are lost', rough],
  ] as const) {
    it(name, () =>
      fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.array(action, { minLength: 5, maxLength: 30 }),
          async (scheduler, actions) => {
            subjects += 1;
            const course = new Course(db, scheduler, `account:${subjects}`);
            try {
              scheduler.scheduleSequence(actions.map((one) => () => course.take(one)));
              await course.settle();
              await course.finish();
              await course.check();
            } finally {
              await course.end();
              await db.pool.query('DELETE FROM stream_lease');
              await db.pool.query('DELETE FROM stream_process');
            }
          },
        ),
        { numRuns: LONG_FORMS ? 10_000 : 300, endOnFailure: true, timeout: PATIENCE_MS, verbose: 0 },
      ),
    );
  }
});
