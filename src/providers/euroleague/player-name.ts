/** Converts people's names from the Euroleague's spelling. Pure. */

/** "MILLER-MCINTYRE, CODI" becomes "Codi Miller-McIntyre". */
export function personName(written: string): string {
  const [last, first] = written.split(',').map((part) => part.trim().replace(/\s+/gu, ' '));
  return [first, last]
    .filter(Boolean)
    .map((part) => titleCase(part!))
    .join(' ');
}

/** "UBER ARENA" becomes "Uber Arena". */
export const titleCase = (name: string): string =>
  name
    .toLowerCase()
    .replace(/(^|[\s'’.-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replace(/\bMc(\p{L})/gu, (_, letter: string) => `Mc${letter.toUpperCase()}`)
    .replace(/\b(Ii|Iii|Iv)\b/gu, (number) => number.toUpperCase());
