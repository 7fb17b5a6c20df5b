/** Guide to widgets, with a form that builds one: it shows the widget, and writes the code that embeds it. */
import { z } from 'zod';
import { type Lang, lang, oneValue } from '../http/index.ts';
import { field, selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { GUIDES } from '../site/texts/index.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';
import { exampleText } from './example.ts';
import type { Guide, GuideInput } from './page.ts';

const WIDGETS = ['standings', 'fixtures', 'live', 'match', 'trends'] as const;
const THEMES = ['light', 'dark'] as const;
const LANGUAGES = ['ru', 'en'] as const;
const MAX_SUBJECT = 300;
/** Height of the frame until the widget tells its own, in pixels. */
const FRAME_HEIGHT = 480;

export const widgetQuery = z.object({
  widget: oneValue(WIDGETS).optional(),
  // The page shows the text again, so a secret that was pasted by mistake is hidden.
  subject: z.string().max(MAX_SUBJECT).transform(withoutSecrets).pipe(z.string()).default(''),
  theme: oneValue(THEMES).default('light'),
  /** The widget's language. `lang` is that of the guide. */
  language: oneValue(LANGUAGES).optional(),
  title: oneValue(['0', '1']).optional(),
  lang,
});
export type WidgetQuery = z.infer<typeof widgetQuery>;

/** The page of a subject, as a path or as a whole address. */
const SUBJECT = /(?:^|\/)(tournament|team|match)\/(\d{1,15})(?:[/?#]|$)/;
const SEASON = /[?&]season=(\d{1,15})/;

type Problem = keyof (typeof GUIDES)['en']['widgets']['problems'];

/** Returns the parameters that name what the widget shows, or the text that says what is missing. */
function subjectParameters({ widget, subject }: WidgetQuery): Record<string, string> | Problem {
  const [, kind, id] = SUBJECT.exec(subject.trim()) ?? [];
  if (subject.trim() === '' && widget === 'live') return {};
  if (kind === undefined || id === undefined) return 'subject';
  const [, season] = SEASON.exec(subject) ?? [];
  const ofTournament = { tournament: id, ...(season !== undefined && widget !== 'live' && { season }) };
  if (widget === 'match') return kind === 'match' ? { event: id } : 'match';
  if (widget === 'fixtures' && kind === 'team') return { team: id };
  if (kind === 'tournament') return ofTournament;
  return widget === 'fixtures' ? 'either' : 'tournament';
}

/** Shows the widget, and the code that embeds it. */
function builtWidget(query: WidgetQuery, { baseUrl, lang: language }: GuideInput): Html {
  const text = GUIDES[language].widgets;
  const subject = subjectParameters(query);
  if (typeof subject === 'string') return html`<p class="problem" role="alert">${text.problems[subject]}</p>`;
  const parameters = new URLSearchParams({
    ...subject,
    lang: query.language ?? language,
    ...(query.theme === 'dark' && { theme: 'dark' }),
    ...(query.title === undefined && { title: '0' }),
  });
  const path = `widget/${query.widget}?${parameters}`;
  const name = text.fields.widgets[query.widget!];
  const frame = html`<iframe class="touchline" title="${name}" src="${baseUrl}/${path}" width="100%" height="${FRAME_HEIGHT}"
 style="border:0"></iframe>`;
  const code = `${frame.text}\n${exampleText('widget-height.html').replaceAll('https://sports.example.com', new URL(baseUrl).origin)}`;
  return html`<h2 id="result">${text.result}</h2>
<iframe class="widget" title="${name}" src="../../${path}" height="${FRAME_HEIGHT}"></iframe>
<h2 id="code">${text.code}</h2>
<p>${text.codeNote}</p>
<pre tabindex="0" class="wrapped"><code>${code}</code></pre>`;
}

function form(query: WidgetQuery, language: Lang): Html {
  const { fields, build } = GUIDES[language].widgets;
  const isSent = query.widget !== undefined;
  return html`<h2 id="build">${build}</h2>
<form class="panel" method="get" action="widgets#result">
${selectField({
  name: 'widget',
  label: fields.widget,
  options: WIDGETS.map((widget) => [widget, fields.widgets[widget]]),
  chosen: query.widget,
})}
${field({ name: 'subject', label: fields.subject, value: query.subject, maxlength: MAX_SUBJECT, hint: fields.subjectHint })}
${selectField({ name: 'theme', label: fields.theme, options: THEMES.map((theme) => [theme, fields.themes[theme]]), chosen: query.theme })}
${selectField({
  name: 'language',
  label: fields.language,
  options: LANGUAGES.map((one) => [one, fields.languages[one]]),
  chosen: query.language ?? language,
})}
<p class="check"><label><input type="checkbox" name="title" value="1"${(!isSent || query.title === '1') && html` checked`}>
${fields.title}</label></p>
<button>${fields.submit}</button></form>`;
}

/** Makes the guide for the values that the form has sent. */
export const widgets = (query: WidgetQuery): Guide => ({
  name: 'widgets',
  hasForm: true,
  text: (language) => GUIDES[language].widgets,
  body: (input) => html`<p>${GUIDES[input.lang].widgets.about}</p>
${form(query, input.lang)}
${query.widget !== undefined && builtWidget(query, input)}
<p class="note">${GUIDES[input.lang].widgets.more}</p>`,
});
