/** HTML from template literals. Every value that is not HTML itself is escaped. */
const MARK = Symbol('html');

export interface Html {
  readonly [MARK]: true;
  readonly text: string;
}
type Value = Html | string | number | null | undefined | false | readonly Value[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Safe as text and inside quoted attributes. */
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

const isHtml = (value: object): value is Html => MARK in value;

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') return isHtml(value) ? value.text : value.map(render).join('');
  return escapeHtml(String(value));
}

/** @example html`<li>${name}</li>` */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0]!;
  values.forEach((value, index) => {
    text += render(value) + strings[index + 1]!;
  });
  return { [MARK]: true, text };
}

/** Embeds data for search engines. Browsers do not run it as a script. */
export const jsonLd = (data: object): Html => ({
  [MARK]: true,
  text: `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
});
