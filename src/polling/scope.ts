/** One provider scope, such as a league, with its known state and the time when each request was last sent. */
import type { PlannedRequest, Provider, ProviderUpdate } from '../providers/provider.ts';
import { DAY_MS } from '../wire/time.ts';
import type { Asked } from './due-requests.ts';
import type { StoredScope } from './store.ts';

/** While the source answers, a live match is reported at least this often (docs/feed.md requires once a minute). */
const SIGN_OF_LIFE_MS = 45_000;
/** A path that is no longer planned is forgotten after this time. */
const FORGET_MS = 2 * DAY_MS;

type MatchProviderUpdate = Extract<ProviderUpdate, { kind: 'match' }>;

interface LiveMatch {
  /** Only the match's references, state and score. */
  update: MatchProviderUpdate;
  /** When the match was last reported, ms. */
  sentAt: number;
}

export class ProviderScope {
  readonly name: string | null;
  readonly asked: Map<string, Asked>;
  known: unknown;
  /** True if the scope has changed since the last save. */
  isChanged = false;
  readonly #provider: Provider;
  readonly #live = new Map<string, LiveMatch>();
  /** Paths of the requests on which live matches depend. */
  #livePaths = new Set<string>();
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** @param stored the state that the previous process saved */
  constructor(provider: Provider, name: string | null, stored: StoredScope | undefined) {
    this.name = name;
    this.#provider = provider;
    this.known = stored?.known ?? provider.start(name);
    this.asked = new Map(Object.entries(stored?.asked ?? {}));
  }

  requests(now: number): PlannedRequest[] {
    // If a path is planned twice, the first request counts, because it is the more urgent one.
    const byPath = new Map<string, PlannedRequest>();
    for (const request of this.#provider.requests(now, this.known))
      if (!byPath.has(request.path)) byPath.set(request.path, request);
    const requests = [...byPath.values()];
    this.#livePaths = new Set(requests.filter(({ isLive }) => isLive).map(({ path }) => path));
    return requests;
  }

  setAsked({ path }: PlannedRequest, asked: Asked): void {
    this.asked.set(path, asked);
    if (asked.failures === 0) this.#answeredAt = asked.at;
    this.isChanged = true;
  }

  learn(known: unknown, updates: readonly ProviderUpdate[], now: number): void {
    this.known = known;
    this.isChanged = true;
    for (const update of updates) {
      if (update.kind !== 'match') continue;
      const { id, sport, tournament, season, home, away, status, status_detail, minute, score } = update.match;
      if (status === 'live') {
        const state = {
          id,
          sport,
          tournament,
          season,
          home,
          away,
          status,
          ...(status_detail !== undefined && { status_detail }),
          ...(minute !== undefined && { minute }),
          ...(score !== undefined && { score }),
        };
        this.#live.set(id, { update: { kind: 'match', match: state }, sentAt: now });
      } else if (status !== undefined) this.#live.delete(id);
    }
  }

  /** Returns updates for live matches without a recent update, if the source has answered since the last update. */
  signsOfLife(now: number): ProviderUpdate[] {
    if (this.#livePaths.size === 0) this.#live.clear();
    const isAnswering = now - this.#answeredAt < SIGN_OF_LIFE_MS;
    const due = isAnswering ? [...this.#live.values()].filter(({ sentAt }) => now - sentAt >= SIGN_OF_LIFE_MS) : [];
    for (const match of due) match.sentAt = now;
    return due.map(({ update }) => update);
  }

  /** Returns the state that the next process needs to continue. That process requests live matches at once. */
  takeStored(): StoredScope {
    const asked = [...this.asked];
    const newest = Math.max(...asked.map(([, { at }]) => at));
    for (const [path, { at }] of asked) if (newest - at > FORGET_MS) this.asked.delete(path);
    this.isChanged = false;
    return {
      known: this.known,
      asked: Object.fromEntries([...this.asked].filter(([path]) => !this.#livePaths.has(path))),
    };
  }
}
