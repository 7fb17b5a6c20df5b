/** The HTML document around every page, widget and reference. */
import type { Lang } from '../http/index.ts';
import { type Html, html } from './html.ts';

interface HtmlDocument {
  lang: Lang;
  title: string;
  /** Theme, if it is fixed. By default, the browser's setting decides. */
  theme?: 'light' | 'dark';
  /** Tags before the title. */
  meta?: Html;
  /** Tags after the title. */
  links: Html;
  /** Attributes `data-…` on the body, which scripts read. */
  data?: Record<string, string | number>;
  body: Html;
}

export const htmlDocument = ({ lang, title, theme, links, meta, data = {}, body }: HtmlDocument): string =>
  html`<!doctype html>
<html lang="${lang}"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${meta}
<title>${title}</title>
${links}
</head>
<body${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}>
${body}
</body>
</html>
`.text;
