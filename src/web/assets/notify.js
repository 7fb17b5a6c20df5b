/**
 * The button that turns notifications on: for a team beside its star, or for this browser on the account page. The browser asks for
 * permission only after a click.
 */
import { isFavourite, tell, toggleFavourite } from './favourites.js';

/** Says that this browser is in the member's list: { member }. */
const MARK = 'touchline.push';
/** Set once the service has been asked in this tab. */
const ASKED = 'touchline.push-asked';

const text = document.body.dataset;
const isMember = document.documentElement.dataset.member !== undefined;
const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
/** Safari on iPhones and iPads has this property. It supports notifications only for sites on the home screen. */
const needsHomeScreen = !isSupported && 'standalone' in navigator;
const root = new URL(text.root || './', location.href);

/** Storage can be forbidden. */
function stored(storage, name, value) {
  try {
    if (value === undefined) return JSON.parse(window[storage].getItem(name));
    if (value === null) window[storage].removeItem(name);
    else window[storage].setItem(name, JSON.stringify(value));
  } catch {}
  return null;
}

const mark = () => stored('localStorage', MARK);
const isOn = () => isSupported && isMember && Notification.permission === 'granted' && mark() !== null;

const send = (path, form) =>
  fetch(new URL(`account/notifications/${path}`, root), {
    ...(form && { method: 'POST', body: new URLSearchParams({ lang: document.documentElement.lang, ...form }) }),
    headers: { Accept: 'application/json' },
  });

const decode = (base64url) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
const isSame = (a, b) => a?.byteLength === b.byteLength && new Uint8Array(a).every((byte, at) => byte === b[at]);

/** @returns the name of a text that says why it failed; null if notifications are on */
async function turnOn() {
  // The first step, because some browsers ask only directly after a click.
  if ((await Notification.requestPermission()) !== 'granted') return 'notifyDenied';
  const { pushManager } = await navigator.serviceWorker.ready;
  const reply = await send('key');
  if (!reply.ok) return 'notifyFailed';
  const { key, member } = await reply.json();
  const applicationServerKey = decode(key);
  let subscription = await pushManager.getSubscription();
  if (subscription !== null && !isSame(subscription.options.applicationServerKey, applicationServerKey)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint, keys } = subscription.toJSON();
  const added = await send('browsers', { endpoint, ...keys, member });
  if (added.ok) {
    stored('localStorage', MARK, { member });
    stored('sessionStorage', ASKED, true);
    return null;
  }
  await subscription.unsubscribe();
  return added.status === 409 ? 'notifyFull' : 'notifyFailed';
}

async function turnOff() {
  stored('localStorage', MARK, null);
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  if (subscription === null) return;
  await send('forget', { endpoint: subscription.endpoint }).catch(() => {});
  await subscription.unsubscribe();
}

/** Asks once in a tab whether the browser is still in the list. It may have been removed on another device. */
async function renew() {
  if (!isOn() || stored('sessionStorage', ASKED) !== null) return;
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  if (subscription !== null) {
    const reply = await send('renew', { endpoint: subscription.endpoint, member: mark().member });
    // Another member may have signed in since.
    const isListed = reply.ok ? (await reply.json()).listed : reply.status !== 409;
    if (isListed) return stored('sessionStorage', ASKED, true);
    await subscription.unsubscribe();
  }
  stored('localStorage', MARK, null);
}

/** Fills an element that has data-notify="team 12", or an empty value for the browser alone. The text has data-name, if any. */
function addButton(element) {
  const [kind, id] = element.dataset.notify.split(' ');
  const isWanted = () => isOn() && (kind === '' || isFavourite(kind, Number(id)));
  if (!isSupported) {
    element.textContent = needsHomeScreen ? text.notifyHomeScreen : kind === '' ? text.notifyUnsupported : '';
    return () => {};
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'notify';
  const show = () => {
    const isPressed = isWanted();
    button.textContent = [isPressed ? text.notifyOn : text.notifyText, element.dataset.name].filter(Boolean).join(': ');
    button.setAttribute('aria-pressed', String(isPressed));
  };
  button.addEventListener('click', async () => {
    if (!isMember) return location.assign(new URL('account/sign-in?next=%2Faccount%2Fnotifications', root));
    button.disabled = true;
    try {
      const wasWanted = isWanted();
      if (wasWanted && kind !== '') toggleFavourite(kind, Number(id));
      else if (wasWanted) await turnOff();
      else {
        const problem = isOn() ? null : await turnOn();
        if (problem !== null) tell(text[problem]);
        else if (kind !== '' && !isFavourite(kind, Number(id))) toggleFavourite(kind, Number(id));
      }
      // The page has the list of browsers.
      if (kind === '' && wasWanted !== isWanted()) return location.reload();
    } catch {
      // A browser may refuse, for example in a private window.
      tell(text.notifyFailed);
    }
    button.disabled = false;
    dispatchEvent(new Event('favourites'));
  });
  element.replaceChildren(button);
  show();
  return show;
}

export function startNotify() {
  const places = [...document.querySelectorAll('[data-notify]')];
  if (places.length === 0) return;
  const shown = places.map(addButton);
  const showAll = () => {
    for (const show of shown) show();
  };
  addEventListener('favourites', showAll);
  if (isOn())
    renew()
      .then(showAll)
      .catch(() => {});
}
