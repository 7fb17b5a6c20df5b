/** How a receiver verifies a delivery, as code to copy. A test runs it. */
import { type Html, html } from '../http/html.ts';

export const SIGNATURE_CODE = {
  TypeScript: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** @param body as it was received, before any parsing. @param secret whsec_… */
export function isGenuine(headers: Record<string, string | undefined>, body: string, secret: string): boolean {
  const timestamp = headers['x-service-timestamp'] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const expected = Buffer.from('v1=' + createHmac('sha256', secret).update(timestamp + '.' + body).digest('hex'));
  // Two of them for 24 hours after the secret was rotated.
  return (headers['x-service-signature'] ?? '').split(',').some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  Python: `import hashlib, hmac, time

def is_genuine(headers, body: bytes, secret: str) -> bool:
    """body: as it was received, before any parsing. secret: whsec_..."""
    timestamp = headers.get("X-Service-Timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # Two of them for 24 hours after the secret was rotated.
    given = headers.get("X-Service-Signature", "").split(",")
    return any(hmac.compare_digest(one, "v1=" + digest) for one in given)`,
  Go: `package hooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsGenuine: body as it was received, before any parsing; secret is whsec_...
func IsGenuine(header http.Header, body []byte, secret string) bool {
	timestamp := header.Get("X-Service-Timestamp")
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-sent)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
	// Two of them for 24 hours after the secret was rotated.
	for _, one := range strings.Split(header.Get("X-Service-Signature"), ",") {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}`,
} as const;

export const signatureHelp = (): Html => html`<section class="panel"><h2>Verify what you receive</h2>
<p>Each request is signed with the secret of its subscription: <code>X-Service-Signature</code> is the HMAC-SHA256 of <code>X-Service-Timestamp</code>, a dot and the body. Answer 2xx within 8 seconds; anything else is retried up to 6 times. An event may come more than once, with the same <code>webhook-id</code>. Libraries of <a href="https://www.standardwebhooks.com">Standard Webhooks</a> verify requests too.</p>
${Object.entries(SIGNATURE_CODE).map(
  ([
    language,
    code,
  ]) => html`<details><summary>${language}</summary><pre tabindex="0" aria-label="${language}"><code>${code}</code></pre></details>
`,
)}</section>`;
