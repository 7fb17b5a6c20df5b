/** Quick start, from zero to the first matches. */
import { html } from '../site/html.ts';
import { GUIDES } from '../site/texts/index.ts';
import { example, examples } from './example.ts';
import { bullets, type Guide, type GuideInput, quotable } from './page.ts';

const { quickStart: GUIDE } = GUIDES;

const environment = ({ baseUrl }: GuideInput) =>
  `export TOUCHLINE_URL='${quotable(baseUrl)}'\nexport TOUCHLINE_KEY='sk_live_…' # your key`;

export const quickStart: Guide = {
  name: 'quick-start',
  title: GUIDE.title,
  summary: GUIDE.summary,
  body: (input) => html`
<h2 id="key">${GUIDE.key.title}</h2>
<p>${GUIDE.key.signUp[input.signUp]} ${GUIDE.key.environment}</p>
${example('environment.sh', environment(input))}
<p>${GUIDE.key.kinds}</p>

<h2 id="request">${GUIDE.request.title}</h2>
${example('first-request.sh')}
<p>${GUIDE.request.lists}</p>
${example('live.sh')}

<h2 id="search">${GUIDE.search.title}</h2>
<p>${GUIDE.search.names}</p>
${example('search.sh')}
<p>${GUIDE.search.matches}</p>
${example('matches-of-a-team.sh')}

<h2 id="match">${GUIDE.match.title}</h2>
<p>${GUIDE.match.blocks}</p>
${example('match.sh')}

<h2 id="program">${GUIDE.program.title}</h2>
${examples('results.ts', 'results.py')}
<p>${GUIDE.program.node}</p>

<h2 id="keep-up">${GUIDE.keepUp.title}</h2>
${bullets(GUIDE.keepUp.ways)}
<p>${GUIDE.keepUp.free}</p>

<h2 id="good-to-know">${GUIDE.goodToKnow.title}</h2>
${bullets(GUIDE.goodToKnow.facts)}`,
};
