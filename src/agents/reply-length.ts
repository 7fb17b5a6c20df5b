/**
 * Limits the length of a reply to an agent. Defines how many characters a reply may have, and shortens JSON values to
 * that length, so that the result is still valid JSON.
 */

/** Maximum number of characters in all of a call's replies together. A token is about four characters. */
export const MOST_CHARS = { short: 16_000, full: 48_000 };
export const MOST_NOTE_CHARS = 1_000;
/** Maximum number of bytes for one character of a reply, which is sent as a text within JSON, and once more as JSON. */
export const MOST_BYTES_OF_CHAR = 5;
/** Minimum number of characters for a reply to be useful. */
export const LEAST_CHARS = 1_000;
/** Characters around each reply if a call has several ids. The id is among them. */
export const PART_CHARS = 40;
/** Characters for the notes and for the JSON around the reply. */
export const ASIDE_CHARS = MOST_NOTE_CHARS + 500;

/**
 * Members whose lists are cut first, in this order. For a model, a match's goals matter more than the momentum curve.
 */
const CUT_FIRST = [
  'momentum',
  'average_positions',
  'points_history',
  'innings',
  'commentary',
  'shotmap',
  'highlights',
  'tv_channels',
  'odds',
  'player_stats',
];
/** Members whose lists are cut last. */
const CUT_LAST = ['statistics', 'lineups', 'incidents'];
/**
 * The rest of the lists are first cut to this many items. They are cut again only once no list has more items than
 * this.
 */
const KEPT_ITEMS = 10;

type Container = unknown[] | Record<string, unknown>;

interface Place<Value extends Container = Container> {
  /** Path in the reply, such as `table` or `home.form`. Empty for the root. */
  path: string;
  value: Value;
  chars: number;
}

export interface Fitted {
  value: unknown;
  /** A sentence for each cut. */
  cuts: readonly string[];
  /** Number of items that are left in each cut list, by the list's path. */
  shown: ReadonlyMap<string, number>;
  /** Names of the top-level members from which something was left out. */
  members: readonly string[];
}

type List = Place<unknown[]>;

const isList = (place: Place): place is List => Array.isArray(place.value);
const isRecord = (place: Place): place is Place<Record<string, unknown>> => !isList(place);

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/**
 * Finds the containers in a value, and measures the length of each as JSON.
 * @returns the length of the value itself
 */
function measure(value: unknown, path: string, places: Place[]): number {
  if (!isContainer(value)) return JSON.stringify(value)?.length ?? 0;
  const inList = Array.isArray(value);
  const place: Place = { path, value, chars: 2 };
  places.push(place);
  for (const [name, member] of Object.entries(value)) {
    const at = inList ? `${path}[]` : path === '' ? name : `${path}.${name}`;
    place.chars += measure(member, at, places) + 1 + (inList ? 0 : JSON.stringify(name).length + 1);
  }
  return place.chars;
}

/** Returns a list's rank. Lists with lower ranks are cut first. */
function cutRank({ path }: Place): number {
  const names = path.split(/[.[\]]+/);
  const first = CUT_FIRST.findIndex((name) => names.includes(name));
  if (first !== -1) return first;
  const last = CUT_LAST.findIndex((name) => names.includes(name));
  return CUT_FIRST.length + 1 + last;
}

const largest = <P extends Place>(places: readonly P[]): P | undefined =>
  places.reduce<P | undefined>((best, one) => (best === undefined || one.chars > best.chars ? one : best), undefined);

interface Cut {
  list: List;
  /** Minimum number of items to leave in the list. */
  least: number;
}

/**
 * Returns the list to cut next, which is the largest among those with the lowest rank. Undefined if no list has two
 * items.
 */
function nextCut(places: readonly Place[]): Cut | undefined {
  const lists = places.filter(isList).filter(({ value }) => value.length > 1);
  const minimum = (list: Place) => (cutRank(list) < CUT_FIRST.length ? 1 : KEPT_ITEMS);
  const longer = lists.filter((list) => list.value.length > minimum(list));
  const among = longer.length > 0 ? longer : lists;
  const lowest = Math.min(...among.map(cutRank));
  const list = largest(among.filter((one) => cutRank(one) === lowest));
  return list && { list, least: longer.length > 0 ? minimum(list) : 1 };
}

/** Removes an object's largest member. @returns the member name */
function dropLargest(object: Record<string, unknown>): string {
  const sizes = Object.entries(object).map(([name, member]) => [name, JSON.stringify(member).length] as const);
  const [name] = sizes.reduce((best, one) => (one[1] > best[1] ? one : best));
  delete object[name];
  return name;
}

/**
 * @param given a JSON value; it is copied
 * @param maxChars at least 2
 */
export function fit(given: object, maxChars: number): Fitted {
  const value = structuredClone(given);
  const lists = new Map<string, { shown: number; total: number }>();
  const dropped = new Set<string>();
  for (;;) {
    const places: Place[] = [];
    const excess = measure(value, '', places) - maxChars;
    if (excess <= 0) break;
    const cut = nextCut(places);
    if (cut !== undefined) {
      const { list, least } = cut;
      const items = list.value;
      const total = lists.get(list.path)?.total ?? items.length;
      // Removes at most half of the items at a time, so that each of several long lists keeps some.
      const kept = Math.floor(items.length * Math.max(1 / 2, 1 - excess / list.chars));
      items.length = Math.max(least, Math.min(items.length - 1, kept));
      lists.set(list.path, { shown: items.length, total });
      continue;
    }
    const object = largest(places.filter(isRecord).filter(({ value }) => Object.keys(value).length > 0));
    if (object === undefined)
      return { value: {}, cuts: ['The reply is too long to be shown.'], shown: new Map(), members: [] };
    const name = dropLargest(object.value);
    dropped.add(object.path === '' ? name : `${object.path}.${name}`);
  }
  const cuts = [
    ...[...lists].map(([path, { shown, total }]) =>
      path.includes('[]') ? `Lists \`${path}\` are cut.` : `\`${path}\` is cut to ${shown} of ${total} items.`,
    ),
    ...(dropped.size === 0 ? [] : [`Too long, and left out: ${[...dropped].map((path) => `\`${path}\``).join(', ')}.`]),
  ];
  const members = new Set([...lists.keys(), ...dropped].map((path) => path.replace(/[.[].*/su, '')));
  return { value, cuts, shown: new Map([...lists].map(([path, { shown }]) => [path, shown])), members: [...members] };
}
