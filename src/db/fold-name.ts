/** Folds names to keys with which identity, aliases and search compare spellings. */

import { LRUCache } from 'lru-cache';

// biome-ignore format: a table
const CYRILLIC: Record<string, string> = {
  а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l', м: 'm',
  н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch',
  ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya',
  // Ukrainian, Belarusian, Serbian, Macedonian, Kazakh
  і: 'i', ї: 'yi', є: 'ye', ґ: 'g', ў: 'u', ј: 'j', љ: 'lj', њ: 'nj', ћ: 'c', ђ: 'dj', џ: 'dz', ѓ: 'gj', ќ: 'kj',
  ѕ: 'dz', ә: 'a', ғ: 'g', қ: 'k', ң: 'n', ө: 'o', ұ: 'u', ү: 'u', һ: 'h',
};

// biome-ignore format: a table
const GREEK: Record<string, string> = {
  α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x',
  ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o',
};

/** Latin letters that Unicode does not decompose into a plain letter and an accent. */
// biome-ignore format: a table
const LATIN: Record<string, string> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i', ħ: 'h', ŋ: 'n', ŧ: 't', ə: 'a', ſ: 's',
};

const PLAIN: Record<string, string> = { ...CYRILLIC, ...GREEK, ...LATIN, '&': ' and ' };
const SPECIAL = /[^a-z0-9 ]/u;
const APOSTROPHES = /['’‘ʼʹʻ`´]/gu;
const DOT_WITHIN_INITIALS = /(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu;
const ACCENTS = /[\u0300-\u036f]+/gu;

/**
 * Returns lower-case plain Latin letters and digits, separated by single spaces. Accents, apostrophes and the dots
 * after initials ("F.C.") are dropped. Cyrillic and Greek are transliterated. The rest of the punctuation becomes a
 * space. Letters from other scripts are kept, so that names in those scripts remain distinct. The result is empty for a
 * name without a letter or digit.
 *
 * @example foldName('Нищевич') === 'nishchevich'; foldName("Nott'm Forest F.C.") === 'nottm forest fc'
 */
export function foldName(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  const key = fold(name);
  folded.set(name, key);
  return key;
}

/** Recently folded names, because the same names occur in many blocks of a match. */
const folded = new LRUCache<string, string>({ max: 10_000 });

function fold(name: string): string {
  let folded = name.normalize('NFKC').toLowerCase();
  if (SPECIAL.test(folded)) {
    let plain = '';
    for (const letter of folded.replace(APOSTROPHES, '').replace(DOT_WITHIN_INITIALS, '$1')) {
      plain += PLAIN[letter] ?? withoutAccents(letter);
    }
    folded = plain.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ');
  }
  return folded.replace(/ +/g, ' ').trim();
}

/** Looks up a letter with an accent that is not in the tables, such as "ά" or "ǿ", by the letter without the accent. */
function withoutAccents(letter: string): string {
  const bare = letter.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
  return PLAIN[bare] ?? bare;
}
