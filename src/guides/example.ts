/** Code examples in the guides. They are real files: editors and compilers check them, and a test runs what the pages show. */
import { readFileSync } from 'node:fs';
import { type Html, html } from '../site/html.ts';

const LANGUAGES: Record<string, string> = {
  json: 'JSON',
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
  go: 'Go',
};
const texts = new Map<string, string>();

/** @param file a file in examples/ */
export function exampleText(file: string): string {
  let text = texts.get(file);
  if (text === undefined) {
    text = readFileSync(new URL(`examples/${file}`, import.meta.url), 'utf8').trimEnd();
    texts.set(file, text);
  }
  return text;
}

/** @param text the file's text, which may have had its placeholders filled in */
export const example = (file: string, text = exampleText(file)): Html => html`<figure class="example">
<figcaption lang="en">${LANGUAGES[file.split('.').at(-1)!]} <span>${file}</span></figcaption>
<pre tabindex="0" data-example="${file}"><code>${text}</code></pre></figure>`;

/** Shows the same example in several languages. The first one is open. */
export const examples = (...files: readonly string[]): Html =>
  html`${files.map(
    (
      file,
      index,
    ) => html`<details class="example"${index === 0 && html` open`}><summary lang="en">${LANGUAGES[file.split('.').at(-1)!]}
<span>${file}</span></summary>
<pre tabindex="0" data-example="${file}"><code>${exampleText(file)}</code></pre></details>`,
  )}`;
