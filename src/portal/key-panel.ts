import type { Lang } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { KEYS } from '../site/texts/index.ts';

/**
 * Shows a key once, right after it has been created.
 * @param next relative URL of the page that follows
 * @param origin a site that may use the key, if only some may
 */
export const newKeyPanel = (
  key: string,
  baseUrl: string,
  next: string,
  lang: Lang,
  origin?: string,
): Html => html`<section class="panel secret">
<h2>${KEYS[lang].new}</h2>
<p><code class="value">${key}</code></p>
<p class="note">${KEYS[lang].copy}</p>
<h2>${KEYS[lang].firstRequest}</h2>
<pre tabindex="0"><code>curl -H 'X-API-Key: ${key}'${origin && html` -H 'Origin: ${origin}'`} '${baseUrl}/v1/events?limit=5'</code></pre>
<p><a class="button" href="${next}">${KEYS[lang].goOn}</a></p>
</section>`;
