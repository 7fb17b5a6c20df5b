/**
 * Details of a match in the front page's list. The link at the end of a row shows them beside the list, or in a sheet above the
 * menu where there is no column for them. A row shows its scorers while a mouse rests on it, or the keyboard is there.
 */
import { localTimes } from './times.js';

const WAIT_MS = 300;
/** A tap outside closes the sheet before the tap's click arrives. A click this soon afterwards on the same row does not reopen it. */
const SAME_TAP_MS = 500;
/** The widest window in which the page has no second column. */
const NARROW = '(max-width: 900px)';

const hasColumn = () => !matchMedia(NARROW).matches;

/** By match and score: a promise of the details, or of null if they cannot be loaded. */
const known = new Map();

const shownScore = (row) => [...row.querySelectorAll('.score')].map((one) => one.textContent).join(':');

/** Returns a copy of the details, or null if they cannot be loaded. The status and the score of the row say which ones are current. */
async function read(row) {
  const { match, status, detail } = row.dataset;
  const key = `${match} ${status} ${detail} ${shownScore(row)}`;
  const found = known.get(key) ?? load(match);
  known.set(key, found);
  const details = await found;
  // After a failure, the next question tries again.
  if (details === null) known.delete(key);
  return details?.cloneNode(true) ?? null;
}

/** Reads the details in the page's language: the parameter `lang` would store it as the reader's choice. */
async function load(match) {
  const address = new URL('match-summary', new URL(document.body.dataset.root || './', location.href));
  address.searchParams.set('match', match);
  const response = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!response?.ok) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  localTimes(page);
  return page.querySelector('.summary');
}

/** Marks the link of the match whose details are beside the list. A match may have two rows. */
function mark(match) {
  for (const link of document.querySelectorAll('.more-about')) {
    if (link.closest('.match').dataset.match === match) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** Shows a match beside the list, or the list's own league if the match was shown already. */
async function select(link, showTable) {
  const row = link.closest('.match');
  const isShown = link.hasAttribute('aria-current');
  const details = isShown ? null : await read(row);
  if (!isShown && details === null) return location.assign(link.href);
  const address = new URL(location.href);
  if (isShown) address.searchParams.delete('match');
  else address.searchParams.set('match', row.dataset.match);
  history.replaceState(history.state, '', address);
  document.getElementById('selected').replaceChildren(...(isShown ? [] : [details]));
  document.getElementById('beside').scrollTop = 0;
  mark(isShown ? null : row.dataset.match);
  return showTable();
}

const sheet = document.createElement('div');
sheet.id = 'sheet';
sheet.popover = 'auto';
/** The match that the sheet shows or has shown, and when it was closed. Null if the button has closed it. */
let last = { match: null, closedAt: 0 };

async function openSheet(link, closeText) {
  const row = link.closest('.match');
  const { match } = row.dataset;
  if (last.match === match && performance.now() - last.closedAt < SAME_TAP_MS) return;
  const details = await read(row);
  if (details === null) return location.assign(link.href);
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'close';
  close.autofocus = true;
  close.setAttribute('aria-label', closeText);
  close.addEventListener('click', () => {
    sheet.hidePopover();
    last.match = null;
  });
  sheet.replaceChildren(close, details);
  last = { match, closedAt: 0 };
  sheet.showPopover();
}

const scorers = document.createElement('div');
scorers.id = 'scorers';
scorers.className = 'panel';
scorers.popover = 'manual';
let shownFor = null;
let timer;

async function showScorers(row) {
  if (!/[1-9]/.test(shownScore(row))) return;
  const found = (await read(row))?.querySelector('.scorers');
  if (!found || shownFor !== row || !row.isConnected) return;
  scorers.replaceChildren(found);
  scorers.showPopover();
  const { left, bottom, top, width } = row.getBoundingClientRect();
  const isBelow = bottom + scorers.offsetHeight <= innerHeight;
  scorers.style.left = `${left}px`;
  scorers.style.width = `${width}px`;
  scorers.style.top = `${isBelow ? bottom : top - scorers.offsetHeight}px`;
}

function hideScorers() {
  clearTimeout(timer);
  shownFor = null;
  if (scorers.matches(':popover-open')) scorers.hidePopover();
}

function chooseRow(row) {
  if (row === shownFor) return;
  hideScorers();
  if (row === null) return;
  shownFor = row;
  timer = setTimeout(() => showScorers(row), WAIT_MS);
}

/**
 * Follows the pointer, the focus, and clicks on the page. In a browser without popovers, links lead to the page with the details.
 * @param showTable is called when another match is beside the list
 */
export function showDetails(showTable) {
  const { close } = document.body.dataset;
  const hasPopovers = typeof sheet.showPopover === 'function';
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('.more-about') : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (!hasColumn() && !hasPopovers) return;
    event.preventDefault();
    hideScorers();
    if (hasColumn()) select(link, showTable);
    else openSheet(link, close);
  });
  if (!hasPopovers) return;
  document.body.append(sheet, scorers);
  sheet.addEventListener('toggle', ({ newState }) => {
    if (newState === 'closed') last.closedAt = performance.now();
  });
  const rowAt = (target) => (target instanceof Element ? target.closest('.rows .match') : null);
  document.addEventListener(
    'pointerover',
    ({ pointerType, target }) => pointerType === 'mouse' && chooseRow(rowAt(target)),
  );
  document.addEventListener('focusin', ({ target }) => target.matches(':focus-visible') && chooseRow(rowAt(target)));
  document.addEventListener('focusout', hideScorers);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hideScorers());
  addEventListener('scroll', hideScorers, { passive: true });
}
