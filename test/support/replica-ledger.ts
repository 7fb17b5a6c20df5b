/** Clients that keep a ledger of what they have written and seen, since no reply may be older. */
import assert from 'node:assert/strict';
import { scoreUpdate } from './replicated-service.ts';

/** Number of reads after each write. */
const READS = 4;

interface Item {
  id: number;
  participants: [{ score: number }, unknown];
}

interface Entry {
  /** Our id of the client's match. */
  id: number;
  goals: number;
  /** The newest position that the client has received. */
  position: string;
  /** The client's cursor in `/v1/sync`. */
  cursor: string | null;
}

interface LedgerOptions {
  feed: { url: string; token: string };
  /** Requests a path. @param position the header, if any */
  ask(path: string, position?: string): Promise<{ text: string; position: string }>;
  random(): number;
}

export class ReplicaLedger {
  /** By client. Each client has a match of its own. */
  readonly entries: Entry[] = [];
  /** Number of replies that were compared with the ledger. */
  reads = 0;
  readonly #options: LedgerOptions;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Sum of all goals. */
  get goals(): number {
    return this.entries.reduce((all, { goals }) => all + goals, 0);
  }

  async addClient(): Promise<void> {
    const match = this.entries.length;
    const position = await this.#score(match, 0);
    const { url } = this.#options.feed;
    const answer = await fetch(`${url}/feed/v1/match?provider=live&id=m${match}`, { headers: this.#headers() });
    const { match_id: id } = (await answer.json()) as { match_id: number };
    this.entries.push({ id, goals: 0, position, cursor: null });
  }

  /**
   * Has all clients write goals and read them until `isOver` returns true.
   * @throws {AssertionError} for a reply that is older than what the client knows
   */
  async keep(isOver: () => boolean): Promise<void> {
    await Promise.all(this.entries.map((_, client) => this.#keepOne(client, isOver)));
  }

  async #keepOne(client: number, isOver: () => boolean): Promise<void> {
    const own = this.entries[client]!;
    const steps: string[] = [];
    while (!isOver()) {
      own.position = await this.#score(client, own.goals + 1);
      own.goals += 1;
      steps.push(`wrote ${own.goals} at ${own.position}`);
      for (let count = 0; count < READS; count += 1) {
        const { goals, position, from } = await this.#read(own);
        steps.push(`asked for ${own.position}, read ${goals} from ${from} at ${position}`);
        assert.equal(goals, own.goals, `client ${client}:\n${steps.slice(-10).join('\n')}`);
        own.position = position;
        this.reads += 1;
      }
    }
  }

  /** Returns the goals of a client's match as a card shows them, without a position. */
  async card({ id }: Entry): Promise<number> {
    const { text } = await this.#options.ask(`/v1/event/${id}`);
    return goalsOf(JSON.parse(text));
  }

  /** Reads the goals of a client's match from a card, a list or a sync pass. */
  #read(own: Entry): Promise<{ goals: number | undefined; position: string; from: string }> {
    const draw = this.#options.random();
    if (draw < 0.3) return this.#readList(own);
    return draw < 0.4 ? this.#readSync(own) : this.#readCard(own);
  }

  async #readCard({ id, position: needed }: Entry) {
    const { text, position } = await this.#options.ask(`/v1/event/${id}`, needed);
    return { goals: goalsOf(JSON.parse(text)), position, from: 'a card' };
  }

  async #readList({ id, position: needed }: Entry) {
    const { text, position } = await this.#options.ask('/v1/events/live?limit=100', needed);
    const { events } = JSON.parse(text) as { events: Item[] };
    return { goals: goalsOf(events.find((one) => one.id === id)), position, from: 'a list' };
  }

  /** Reads the changes since the client's last pass. */
  async #readSync(own: Entry) {
    let goals: number | undefined;
    let { position } = own;
    for (let hasMore = true; hasMore; ) {
      const cursor = own.cursor === null ? '' : `&cursor=${encodeURIComponent(own.cursor)}`;
      const page = await this.#options.ask(`/v1/sync?limit=10${cursor}`, position);
      const body = JSON.parse(page.text) as { events: Item[]; next_cursor: string; has_more: boolean };
      goals = goalsOf(body.events.find(({ id }) => id === own.id)) ?? goals;
      [position, own.cursor, hasMore] = [page.position, body.next_cursor, body.has_more];
    }
    // A pass without the match says nothing about the match: it had the goal before, or gets it in the next pass.
    return { goals: goals ?? own.goals, position, from: 'a sync pass' };
  }

  readonly #headers = () => ({
    Authorization: `Bearer ${this.#options.feed.token}`,
    'Content-Type': 'application/json',
  });

  /** Sends goals as a provider does. @returns the position in the answer */
  async #score(match: number, goals: number): Promise<string> {
    const observed = Date.now();
    const start = new Date(observed - 600_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const body = scoreUpdate({ match, goals, observed, start });
    const { url } = this.#options.feed;
    const answer = await fetch(`${url}/feed/v1/updates`, { method: 'POST', headers: this.#headers(), body });
    const text = await answer.text();
    assert.equal(JSON.parse(text).accepted, 1, text);
    return answer.headers.get('touchline-position')!;
  }
}

function goalsOf(item: Item): number;
function goalsOf(item: Item | undefined): number | undefined;
function goalsOf(item: Item | undefined): number | undefined {
  return item?.participants[0].score;
}
