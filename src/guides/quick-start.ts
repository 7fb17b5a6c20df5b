/** Quick start, from zero to the first matches. */
import { html } from '../site/html.ts';
import { GUIDES } from '../site/texts/index.ts';
import { example, examples } from './example.ts';
import { bullets, type Guide, type GuideInput, quotable } from './page.ts';

const environment = ({ baseUrl }: GuideInput) =>
  `export TOUCHLINE_URL='${quotable(baseUrl)}'\nexport TOUCHLINE_KEY='sk_live_…' # your key`;

export const quickStart: Guide = {
  name: 'quick-start',
  text: (lang) => GUIDES[lang].quickStart,
  body: (input) => {
    const text = GUIDES[input.lang].quickStart;
    return html`
<h2 id="key">${text.key.title}</h2>
<p>${text.key.signUp[input.signUp]} ${text.key.environment}</p>
${example('environment.sh', environment(input))}
<p>${text.key.kinds}</p>

<h2 id="request">${text.request.title}</h2>
${example('first-request.sh')}
<p>${text.request.lists}</p>
${example('live.sh')}

<h2 id="search">${text.search.title}</h2>
<p>${text.search.names}</p>
${example('search.sh')}
<p>${text.search.matches}</p>
${example('matches-of-a-team.sh')}

<h2 id="match">${text.match.title}</h2>
<p>${text.match.blocks}</p>
${example('match.sh')}

<h2 id="program">${text.program.title}</h2>
${examples('results.ts', 'results.py')}
<p>${text.program.node}</p>

<h2 id="keep-up">${text.keepUp.title}</h2>
${bullets(text.keepUp.ways)}
<p>${text.keepUp.free}</p>

<h2 id="good-to-know">${text.goodToKnow.title}</h2>
${bullets(text.goodToKnow.facts)}`;
  },
};
