/** Times in the reader's time zone, in the page's language. */
const lang = document.documentElement.lang === 'en' ? 'en-GB' : document.documentElement.lang;

/**
 * Shows times in the local time zone and language. Adds the day if it is not today, and the year if it is not this
 * year. `data-part` selects the day or the time alone.
 */
export function localTimes(root = document) {
  const now = new Date();
  for (const element of root.querySelectorAll('time[datetime]:not([data-day])')) {
    const date = new Date(element.dateTime);
    const time = date.toLocaleTimeString(lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' };
    const day = date.toLocaleDateString(lang, { day: 'numeric', month: 'short', ...year }).replace(' г.', '');
    const isToday = date.toDateString() === now.toDateString();
    element.textContent = { day, time }[element.dataset.part] ?? (isToday ? time : `${day}, ${time}`);
    element.title = element.dateTime;
  }
}
