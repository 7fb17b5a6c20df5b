/** Shows a match's scorers below its row while a mouse rests on it, or the row has the keyboard's focus. */
const WAIT_MS = 300;

const popover = document.createElement('div');
popover.id = 'scorers';
popover.className = 'panel';
popover.popover = 'manual';

/** By match and score: a promise of the scorers, or of null if the match's page has none. */
const known = new Map();

/**
 * Reads the scorers from the match's page, which the reader is likely to open next.
 * @returns undefined if the page cannot be loaded
 */
async function read(address) {
  const response = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!response?.ok) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return page.querySelector('#head .scorers');
}

let shownFor = null;
let timer;

async function show(row) {
  const score = [...row.querySelectorAll('.score')].map((one) => one.textContent).join(':');
  if (!/[1-9]/.test(score)) return;
  const key = `${row.dataset.match} ${score}`;
  const found = known.get(key) ?? read(row.querySelector('.open').href);
  known.set(key, found);
  const scorers = await found;
  // After a failure, the next hover tries again.
  if (scorers === undefined) known.delete(key);
  if (!scorers || shownFor !== row || !row.isConnected) return;
  popover.replaceChildren(scorers.cloneNode(true));
  popover.showPopover();
  const { left, bottom, top, width } = row.getBoundingClientRect();
  const isBelow = bottom + popover.offsetHeight <= innerHeight;
  popover.style.left = `${left}px`;
  popover.style.width = `${width}px`;
  popover.style.top = `${isBelow ? bottom : top - popover.offsetHeight}px`;
}

function hide() {
  clearTimeout(timer);
  shownFor = null;
  if (popover.matches(':popover-open')) popover.hidePopover();
}

function choose(row) {
  if (row === shownFor) return;
  hide();
  if (row === null) return;
  shownFor = row;
  timer = setTimeout(() => show(row), WAIT_MS);
}

/** Follows the pointer and the focus on the page. A browser without popovers shows nothing. */
export function showScorers() {
  if (typeof popover.showPopover !== 'function') return;
  document.body.append(popover);
  const rowAt = (target) => (target instanceof Element ? target.closest('.rows .match') : null);
  document.addEventListener(
    'pointerover',
    ({ pointerType, target }) => pointerType === 'mouse' && choose(rowAt(target)),
  );
  document.addEventListener('focusin', ({ target }) => target.matches(':focus-visible') && choose(rowAt(target)));
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
  addEventListener('scroll', hide, { passive: true });
}
