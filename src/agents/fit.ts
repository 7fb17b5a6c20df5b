/** Cuts a JSON value to a number of characters, and says what was left out: it stays valid JSON. */

type Container = unknown[] | Record<string, unknown>;

interface Place {
  /** As in `table` or `home.form`; empty for the root. */
  path: string;
  value: Container;
  chars: number;
}

export interface Fitted {
  value: unknown;
  /** One sentence for each cut. */
  cuts: readonly string[];
  /** Items that a cut list still has, by its path. */
  shown: ReadonlyMap<string, number>;
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** Lists the containers of a value, each with its length as JSON. @returns the length of the value itself */
function measure(value: unknown, path: string, places: Place[]): number {
  if (!isContainer(value)) return JSON.stringify(value)?.length ?? 0;
  const isList = Array.isArray(value);
  const place: Place = { path, value, chars: 2 };
  places.push(place);
  for (const [name, member] of Object.entries(value)) {
    const at = isList ? `${path}[]` : path === '' ? name : `${path}.${name}`;
    place.chars += measure(member, at, places) + 1 + (isList ? 0 : JSON.stringify(name).length + 1);
  }
  return place.chars;
}

const largest = (places: readonly Place[]): Place | undefined =>
  places.reduce<Place | undefined>(
    (best, one) => (best === undefined || one.chars > best.chars ? one : best),
    undefined,
  );

/** Removes the largest member of an object. @returns its name */
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
    const list = largest(places.filter(({ value }) => Array.isArray(value) && value.length > 1));
    if (list !== undefined) {
      const items = list.value as unknown[];
      const total = lists.get(list.path)?.total ?? items.length;
      // At most by half, so that of several long lists each keeps some items.
      const kept = Math.floor(items.length * Math.max(1 / 2, 1 - excess / list.chars));
      items.length = Math.max(1, Math.min(items.length - 1, kept));
      lists.set(list.path, { shown: items.length, total });
      continue;
    }
    const object = largest(places.filter(({ value }) => !Array.isArray(value) && Object.keys(value).length > 0));
    if (object === undefined) return { value: {}, cuts: ['The reply is too long to be shown.'], shown: new Map() };
    const name = dropLargest(object.value as Record<string, unknown>);
    dropped.add(object.path === '' ? name : `${object.path}.${name}`);
  }
  const cuts = [
    ...[...lists].map(([path, { shown, total }]) =>
      path.includes('[]') ? `Lists \`${path}\` are cut.` : `\`${path}\` is cut to ${shown} of ${total} items.`,
    ),
    ...(dropped.size === 0 ? [] : [`Too long, and left out: ${[...dropped].map((path) => `\`${path}\``).join(', ')}.`]),
  ];
  return { value, cuts, shown: new Map([...lists].map(([path, { shown }]) => [path, shown])) };
}
