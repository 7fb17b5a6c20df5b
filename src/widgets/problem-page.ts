/**
 * Renders errors as pages that look like widgets. The text says what is wrong with the address, but does not repeat values from the
 * request.
 */
import { whyMissing } from '../analytics/history-loading.ts';
import { Problem, type RefusedPage, type Reply } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { type Advice, fill, TEXTS, type WidgetTexts } from '../site/texts/index.ts';
import { policy, widgetPage } from './page.ts';
import { WIDGET_SECONDS } from './refresh-interval.ts';

/** Allowed range for the parameter `limit`. */
export interface Limits {
  min: number;
  max: number;
}

type Missing = keyof WidgetTexts['missing'];

/** Returns a 404 whose page says what does not exist. `player` means that the id belongs to a player where a team was required. */
export const missing = (what: Missing, detail: string): Problem =>
  new Problem('not_found', detail, { members: { missing: what } });

/** Error code for requests that must have exactly one of two parameters, but have none or both. */
export const ONE_OF = 'one_of';

/** @param limits the widget's limits */
export const problemPageFor =
  (limits: Limits) =>
  (problem: Problem, { querystring }: Pick<RefusedPage, 'querystring'>): Pick<Reply, 'body' | 'headers'> => {
    const sent = new URLSearchParams(querystring);
    const lang = sent.get('lang') === 'en' ? 'en' : 'ru';
    const { title, advice } = explain(problem, TEXTS[lang].widgets, limits);
    const page = widgetPage({
      lang,
      theme: sent.get('theme') === 'dark' ? 'dark' : 'light',
      heading: { text: title, hidden: false },
      body: advice,
      // A page for a wrong address is not fetched again. If the cause was a limit or a store, the next attempt may succeed.
      refresh: problem.status < 429 ? 0 : WIDGET_SECONDS,
    });
    // An error page contains no data, so any site may frame it.
    return { body: page, headers: { 'Content-Security-Policy': policy('*'), 'Content-Language': lang } };
  };

function explain(problem: Problem, text: WidgetTexts, limits: Limits): { title: string; advice: Html } {
  const { status, options } = problem;
  const note = ([title, advice]: Advice) => ({
    title,
    advice: html`<p class="note">${advice}</p>`,
  });
  if (status === 404) return note(text.missing[(options.members?.missing as Missing) ?? 'tournament']);
  if (status === 400 || status === 422) {
    const wrong = [
      ...new Set((options.errors ?? []).map(({ code, parameter }) => (code === ONE_OF ? ONE_OF : parameter))),
    ];
    const advice = wrong
      .filter((parameter): parameter is keyof WidgetTexts['parameters'] => Object.hasOwn(text.parameters, parameter))
      .map((parameter) => html`<li>${parameterText(parameter, text, limits)}</li>`);
    if (advice.length > 0) return { title: text.errors.wrong[0], advice: html`<ul class="note">${advice}</ul>` };
    return note(text.errors.wrong);
  }
  return note(text.errors[whyMissing(problem) === 'loading' ? 'loading' : (status as 429)] ?? text.errors.other);
}

function parameterText(parameter: keyof WidgetTexts['parameters'], text: WidgetTexts, { min, max }: Limits): Html {
  const meaning = fill(text.parameters[parameter], { min, max });
  return parameter === ONE_OF ? html`${meaning}` : html`<code>${parameter}</code>: ${meaning}`;
}
