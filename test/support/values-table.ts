/** The table of the chart's values in its README, made from values.yaml: each value stands below a comment that says what it is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, isScalar, type Pair, parseDocument } from 'yaml';

const CHART = new URL('../../charts/touchline/', import.meta.url);
const README = new URL('README.md', CHART);
const BEGIN = '<!-- values: made by `make chart-docs` -->\n';
const END = '<!-- end of values -->\n';

export interface Value {
  path: string;
  default: string;
  /** Empty where values.yaml says nothing. */
  comment: string;
}

/** Every value that can be set; a map whose keys are free counts as one. */
export function values(): Value[] {
  const document = parseDocument(readFileSync(new URL('values.yaml', CHART), 'utf8'));
  const found: Value[] = [];
  const walk = (pairs: Pair[], prefix: string, before: string | null | undefined) => {
    for (const [index, pair] of pairs.entries()) {
      const { key, value } = pair;
      if (!isScalar(key)) continue;
      const path = `${prefix}${key.value}`;
      // The comment of the first key belongs to the map that begins with it.
      const comment = (key.commentBefore ?? (index === 0 ? before : null) ?? '').trim().replace(/\s+/g, ' ');
      const leaf = !isMap(value) || value.items.length === 0 || key.value === 'resources';
      if (leaf) found.push({ path, default: JSON.stringify((value as { toJSON(): unknown }).toJSON()), comment });
      else walk(value.items as Pair[], `${path}.`, value.commentBefore);
    }
  };
  const { contents } = document;
  if (isMap(contents)) walk(contents.items as Pair[], '', contents.commentBefore?.split('\n\n').at(-1));
  return found;
}

const ROLES = /^roles\.(?!api\.)\w+\./;

/** README.md with the table as it should be. Roles have the same values: those of one are listed, with what differs. */
export function readme(): string {
  const all = values();
  const rows = all
    .filter(({ path }) => !ROLES.test(path))
    .map(({ path, default: text, comment }) => {
      const others = all.filter((one) => one.path.replace(/^roles\.\w+/, 'roles.api') === path && one.default !== text);
      const differing = others.map((one) => `${one.path.split('.')[1]}: \`${one.default}\``).join(', ');
      return `| \`${path.replace(/^roles\.api/, 'roles.<role>')}\` | \`${text}\`${differing && `; ${differing}`} | ${comment} |\n`;
    });
  const [head, rest] = readFileSync(README, 'utf8').split(BEGIN);
  const [, tail] = rest!.split(END);
  return `${head}${BEGIN}\n| Value | Default | Meaning |\n| --- | --- | --- |\n${rows.join('')}\n${END}${tail}`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(README, readme());
