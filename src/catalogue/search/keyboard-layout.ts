/**
 * Converts names that were typed with the wrong keyboard layout, for example `cgfhnfr` for `спартак` and `ьфтсруыеук` for
 * `manchester`.
 */
const LATIN_KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const CYRILLIC_KEYS = 'ёйцукенгшщзхъфывапролджэячсмитьбю';

const toCyrillic = new Map([...LATIN_KEYS].map((key, index) => [key, CYRILLIC_KEYS.charAt(index)]));
const toLatin = new Map([...CYRILLIC_KEYS].map((key, index) => [key, LATIN_KEYS.charAt(index)]));
// With Shift, these keys give other characters.
for (const [mark, letter] of Object.entries({ '~': 'ё', '{': 'х', '}': 'ъ', ':': 'ж', '"': 'э', '<': 'б', '>': 'ю' })) {
  toCyrillic.set(mark, letter);
}

/**
 * Returns the text that the same keys give in the other layout. Null if the text has no letters from either alphabet, or
 * letters from both.
 */
export function otherLayout(text: string): string | null {
  const lower = text.toLowerCase();
  const latin = /[a-z]/.test(lower);
  const cyrillic = /[а-яё]/.test(lower);
  if (latin === cyrillic) return null;
  const layout = latin ? toCyrillic : toLatin;
  return [...lower].map((letter) => layout.get(letter) ?? letter).join('');
}
