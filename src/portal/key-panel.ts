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
  origin?: string,
): Html => html`<section class="panel secret">
<h2>${KEYS.new}</h2>
<p><code class="value">${key}</code></p>
<p class="note">${KEYS.copy}</p>
<h2>${KEYS.firstRequest}</h2>
<pre tabindex="0"><code>curl -H 'X-API-Key: ${key}'${origin && html` -H 'Origin: ${origin}'`} '${baseUrl}/v1/events?limit=5'</code></pre>
<p><a class="button" href="${next}">${KEYS.goOn}</a></p>
</section>`;
