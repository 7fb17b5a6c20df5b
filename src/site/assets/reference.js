/** Starts Swagger UI on the reference page, and extends it through its plugin interface. This file needs no build step. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const { theme } = document.documentElement.dataset;
const setTheme = () =>
  document.documentElement.classList.toggle('dark-mode', theme === undefined ? dark.matches : theme === 'dark');
setTheme();
dark.addEventListener('change', setTheme);

/** The part of the description from this line on is shown after the operations. */
const ERRORS = '## Errors';

/** Copies text to the clipboard. On pages without TLS, there is no clipboard interface, so the text is selected and copied instead. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  if (!isDone) throw new Error('the browser refuses to copy');
}

/** Whether every search word is in the operation's tag, method, path or summary. */
function matches(operation, tag, words) {
  const summary = operation.getIn(['operation', 'summary'], '');
  const text = `${tag} ${operation.get('method')} ${operation.get('path')} ${summary}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Replaces Swagger UI's filter, which does not search summaries. */
function opsFilter(tags, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  return tags
    .map((tag, name) => tag.update('operations', (all) => all.filter((one) => matches(one, name, words))))
    .filter((tag) => tag.get('operations').size > 0);
}

/**
 * Adds attributes that Swagger UI omits but screen readers and keyboards need.
 * @param element null when the component is unmounted
 */
function setAttributes(element, selector, attributes) {
  for (const found of element?.querySelectorAll(selector) ?? [])
    for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
}

/**
 * @param description Markdown that is shown before the operations
 * @param errors Markdown for the error table
 */
function additions({ React }, description, errors) {
  const h = React.createElement;

  /** @param attributes the attributes, as a function of the component's properties */
  const withAttributes = (selector, attributes) => (Original) => (props) =>
    h('div', { ref: (element) => setAttributes(element, selector, attributes(props)) }, h(Original, props));

  function FilterContainer({ layoutSelectors, layoutActions }) {
    const filter = layoutSelectors.currentFilter();
    return h(
      'p',
      { className: 'wrapper filter' },
      h('label', { htmlFor: 'filter' }, 'Filter the operations'),
      h('input', {
        id: 'filter',
        type: 'search',
        maxLength: 80,
        autoComplete: 'off',
        value: typeof filter === 'string' ? filter.slice(1) : '',
        // Swagger UI would take `true` and `false` as settings, not as search texts, so a space is put in front.
        onChange: ({ target }) => layoutActions.updateFilter(target.value === '' ? true : ` ${target.value}`),
      }),
    );
  }

  function Copy({ text }) {
    const [state, setState] = React.useState('Copy');
    const press = () =>
      copy(text).then(
        () => setState('Copied'),
        () => setState('Not copied'),
      );
    return h('button', { type: 'button', className: 'copy', 'aria-live': 'polite', onClick: press }, state);
  }

  return {
    fn: { opsFilter },
    components: {
      FilterContainer,
      /** Swagger UI's standard layout would add a second <main>, so this layout contains only its parts. */
      ReferenceLayout({ getComponent }) {
        const part = (name, props) => h(getComponent(name, true), props);
        const row = (...parts) => h('div', { className: 'wrapper' }, ...parts);
        return h(
          'div',
          { className: 'swagger-ui' },
          // The page has its heading already.
          h('div', { className: 'wrapper info' }, part('Markdown', { source: description })),
          h(
            'div',
            { className: 'scheme-container' },
            h('div', { className: 'schemes wrapper' }, part('ServersContainer'), part('AuthorizeBtnContainer')),
          ),
          part('FilterContainer'),
          row(h('h2', null, 'Operations'), part('operations')),
          row(part('Webhooks')),
          row(part('Models')),
          errors && h('div', { className: 'wrapper errors' }, part('Markdown', { source: errors })),
        );
      },
    },
    wrapComponents: {
      HighlightCode: (Original) => (props) =>
        h(
          'div',
          { className: 'copied', ref: (element) => setAttributes(element, 'pre', { tabindex: '0' }) },
          h(Original, { ...props, canCopy: false }),
          typeof props.children === 'string' && h(Copy, { text: props.children }),
        ),
      Servers: withAttributes('select', () => ({ 'aria-label': 'Server' })),
      // The heading of the schemas has level 4, and stands behind one of level 2.
      Models: withAttributes('.models > h4', () => ({ role: 'heading', 'aria-level': '3' })),
      ExamplesSelect: withAttributes('select', () => ({ 'aria-label': 'Example' })),
      // The description of a parameter begins with its name.
      JsonSchemaForm: withAttributes('select', ({ description = '' }) => ({
        'aria-label': description.split(' - ')[0],
      })),
      // Shows the link to an operation as plain text, because it is inside the button that opens the operation. The button sets the address
      // too.
      DeepLink: (Original) => (props) => (props.path?.includes('/') ? h('span', null, props.text) : h(Original, props)),
    },
  };
}

/** Adds a file to the page. */
function add(name, attributes) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${new URL(attributes.src ?? attributes.href).pathname} is missing`));
    document.head.append(element);
  });
}

const file = (name) => new URL(`docs/assets/${name}`, document.baseURI).href;

async function start() {
  const response = await fetch(new URL('v1/openapi.json', document.baseURI));
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  const spec = await response.json();
  await Promise.all([
    add('script', { src: file('swagger-ui-bundle.js') }),
    add('link', { rel: 'stylesheet', href: file('swagger-ui.css') }),
  ]);
  // The page's own rules have to stand behind those of Swagger UI.
  await add('link', { rel: 'stylesheet', href: file('start.css') });
  const [description, ...errors] = spec.info.description.split(ERRORS);
  SwaggerUIBundle({
    spec,
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    layout: 'ReferenceLayout',
    plugins: [(system) => additions(system, description, errors.length > 0 ? ERRORS + errors.join(ERRORS) : '')],
    syntaxHighlight: { theme: 'obsidian' },
    tryItOutEnabled: true,
    // By default, Swagger UI sends the document to a validator on the internet.
    validatorUrl: null,
  });
}

const open = document.getElementById('open');

/** Replaces the list of operations, once. Swagger UI opens the operation that the address names. */
function load() {
  if (open.disabled) return;
  open.disabled = true;
  open.textContent = open.dataset.loading;
  start().then(
    () => open.parentElement.remove(),
    (error) => {
      open.parentElement.textContent = `The document cannot be loaded: ${error.message}. Reload the page to try again.`;
    },
  );
}

open.addEventListener('click', load);
addEventListener('hashchange', load);
if (location.hash.startsWith('#/')) load();
