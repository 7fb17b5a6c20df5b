/** Times in the reader's time zone, in the page's language. */
const lang = document.documentElement.lang === 'en' ? 'en-GB' : document.documentElement.lang;

/** The zone that the reader has chosen on the page /settings. Undefined for the browser's zone. */
const timeZone = document.documentElement.dataset.zone;
const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone });

/**
 * Shows times in the reader's time zone and language. Adds the day if it is not today, and the year if it is not this
 * year. `data-part` selects the day or the time alone. Times with `data-utc` stay in UTC.
 */
export function localTimes(root = document) {
  const today = dayIn.format(new Date());
  for (const element of root.querySelectorAll('time[datetime]:not([data-day], [data-utc])')) {
    const date = new Date(element.dateTime);
    const own = dayIn.format(date);
    const time = date.toLocaleTimeString(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
    const year = own.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' };
    const day = date.toLocaleDateString(lang, { day: 'numeric', month: 'short', timeZone, ...year }).replace(' г.', '');
    element.textContent = { day, time }[element.dataset.part] ?? (own === today ? time : `${day}, ${time}`);
    element.title = element.dateTime;
  }
}

/** Names the zone in the menu. */
export function nameZone() {
  for (const element of document.querySelectorAll('[data-zone-name]'))
    element.textContent = timeZone ?? dayIn.resolvedOptions().timeZone;
}
