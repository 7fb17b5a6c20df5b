/** Makes and uses passkeys on the pages of members. The answer goes into the form around the button, which is then sent. */

/** WebAuthn takes bytes, and JSON has base64url. */
const toBytes = (base64url) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const withBytes = (list = []) => list.map((one) => ({ ...one, id: toBytes(one.id) }));

/** @returns the browser's options, from the service's */
function browserOptions({ challenge, user, excludeCredentials, allowCredentials, ...rest }) {
  return {
    ...rest,
    challenge: toBytes(challenge),
    ...(user && { user: { ...user, id: toBytes(user.id) } }),
    ...(excludeCredentials && { excludeCredentials: withBytes(excludeCredentials) }),
    ...(allowCredentials && { allowCredentials: withBytes(allowCredentials) }),
  };
}

/** @returns the authenticator's answer as JSON */
function answerText({ id, rawId, type, response }) {
  const parts = { clientDataJSON: toText(response.clientDataJSON) };
  if (response.attestationObject) {
    parts.attestationObject = toText(response.attestationObject);
    parts.transports = response.getTransports?.() ?? [];
  } else {
    parts.authenticatorData = toText(response.authenticatorData);
    parts.signature = toText(response.signature);
    if (response.userHandle) parts.userHandle = toText(response.userHandle);
  }
  return JSON.stringify({ id, rawId: toText(rawId), type, response: parts });
}

/** @returns the name of a text that says why it failed; null if the form is being sent */
async function answer(button) {
  const { form } = button;
  const send = () => HTMLFormElement.prototype.submit.call(form);
  const reply = await fetch(button.dataset.passkey, {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { Accept: 'application/json' },
  }).catch(() => null);
  if (reply === null) return 'unavailable';
  if (!reply.ok) {
    const { code } = await reply.json().catch(() => ({}));
    if (code !== 'sign_in_required' && code !== 'key_missing') return 'unavailable';
    // The service asks for the password, a code or a passkey first, and keeps what the form has.
    send();
    return null;
  }
  const publicKey = browserOptions((await reply.json()).publicKey);
  try {
    const credential = publicKey.user
      ? await navigator.credentials.create({ publicKey })
      : await navigator.credentials.get({ publicKey });
    form.elements.namedItem(button.dataset.field).value = answerText(credential);
  } catch (error) {
    return error.name === 'InvalidStateError' ? 'exists' : 'failed';
  }
  send();
  return null;
}

for (const button of document.querySelectorAll('[data-passkey]')) {
  const message = button.parentElement.querySelector('[role="alert"]');
  const tell = (text = '') => {
    message.textContent = text;
    message.hidden = text === '';
  };
  if (!('PublicKeyCredential' in window)) {
    tell(button.dataset.unsupported);
    continue;
  }
  button.hidden = false;
  button.addEventListener('click', async () => {
    tell();
    button.disabled = true;
    const problem = await answer(button);
    if (problem === null) return;
    button.disabled = false;
    tell(button.dataset[problem]);
  });
}
// The browser may show this page again as it was, with the button still waiting.
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('[data-passkey]')) button.disabled = false;
});
