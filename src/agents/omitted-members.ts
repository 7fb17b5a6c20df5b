/**
 * Makes the short form of a reply. It has the members that answer most of a model's questions, with their values
 * unchanged.
 */

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** Members that are left out of matches in lists. What is left is the fixture, the state and the score. */
const MATCH_DETAILS = new Set([
  'time_tbd',
  'importance',
  'lineup_confirmed',
  'finalized',
  'updated_at',
  'extra',
  'weather',
  'venue',
  'meta',
]);

const isMatch = (value: JsonObject): boolean => 'scheduled_start' in value && Array.isArray(value.participants);

/** Whether a member is a picture, or a name in a second language. */
const isSpare = (name: string): boolean => name.endsWith('image_url') || name.endsWith('_ru');

function member(name: string, value: unknown, owner: JsonObject): [string, unknown] | null {
  const [, base] = /^(.+)_i18n$/.exec(name) ?? [];
  if (base !== undefined) {
    const names = value as JsonObject | null;
    return base in owner || names === null
      ? null
      : [base, names.en ?? Object.values(names).find((one) => one !== null)];
  }
  // Shortens coverage to its depth. Another reply has the details for each block.
  if (name === 'coverage' && isObject(value) && 'depth' in value) return [name, { depth: value.depth }];
  return [name, shorten(value)];
}

function shorten(value: unknown, isItem = false): unknown {
  if (Array.isArray(value)) return value.map((item) => shorten(item, true));
  if (!isObject(value)) return value;
  const isListedMatch = isItem && isMatch(value);
  const members = Object.entries(value).flatMap(([name, given]) => {
    if (isSpare(name) || (isListedMatch && MATCH_DETAILS.has(name))) return [];
    const kept = member(name, given, value);
    return kept === null || isEmpty(kept[1]) ? [] : [kept];
  });
  return Object.fromEntries(members);
}

/**
 * Returns a reply without empty members, pictures and second languages. Matches in a list have only the main members.
 * Top-level lists stay even if they are empty, because then the empty list is the answer.
 */
export function shortForm(reply: unknown): unknown {
  const short = shorten(reply);
  if (!isObject(reply) || !isObject(short)) return short;
  const empty = Object.entries(reply).filter(([, value]) => Array.isArray(value) && value.length === 0);
  return { ...short, ...Object.fromEntries(empty) };
}
