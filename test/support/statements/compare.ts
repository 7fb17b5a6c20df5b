/** Compares the row type of a call with Postgres's description of its statement. */
import type { Column } from './describe.ts';
import type { Kind, Property } from './row-types.ts';

/** Returns a text for each mismatch. */
export function rowFaults(properties: readonly Property[], columns: readonly Column[]): string[] {
  return properties.flatMap(({ name, isOptional, kinds }) => {
    const column = columns.findLast((one) => one.name === name);
    if (column === undefined) return isOptional ? [] : [`${name} is not among the columns`];
    if (kinds.includes('any')) return [];
    const { kind, isNullable } = column;
    return [
      ...(isNullable && !kinds.includes('null') ? [`${name} may be null`] : []),
      ...(kind !== null && !fits(kind, kinds) ? [`${name} is ${kind}, not ${kinds.join(' or ')}`] : []),
    ];
  });
}

/**
 * Whether the kinds fit. A JSON column may be declared as anything except a text, because the driver returns parsed
 * JSON.
 */
function fits(kind: Kind, kinds: readonly Kind[]): boolean {
  if (kind === 'json') return kinds.some((one) => one !== 'string' && one !== 'null');
  if (kind === 'json[]') return kinds.some((one) => one.endsWith('[]') && one !== 'string[]');
  return kinds.includes(kind) || (kind.endsWith('[]') && kinds.includes('any[]'));
}
