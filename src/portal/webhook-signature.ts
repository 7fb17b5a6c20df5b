/** Shows how a receiver verifies a delivery, with the tested code of the guide. */
import { exampleText } from '../guides/example.ts';
import { type Html, html } from '../site/html.ts';

const RECEIVERS = { TypeScript: 'receive.ts', Python: 'receive.py', Go: 'receive.go' };

/** @param root see rootPath */
export const signatureHelp = (root: string): Html => html`<section class="panel"><h2>Verify what you receive</h2>
<p>Each request is signed with the secret of its subscription: <code>X-Service-Signature</code> is the HMAC-SHA256 of <code>X-Service-Timestamp</code>, a dot and the body. Answer 2xx within 8 seconds; anything else is retried up to 6 times. An event may come more than once, with the same <code>webhook-id</code>. More in <a href="${root}docs/guides/webhooks">the guide</a>.</p>
${Object.entries(RECEIVERS).map(
  ([language, file]) =>
    html`<details><summary>${language}</summary><pre tabindex="0" aria-label="${language}"><code>${exampleText(file)}</code></pre></details>
`,
)}</section>`;
