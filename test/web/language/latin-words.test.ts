import assert from 'node:assert/strict';
import { latinTexts } from '../../support/latin-words.ts';

describe('the search for words in Latin letters', () => {
  it('finds texts and attributes that are not marked as English', () => {
    const markup = `<html lang="ru"><p>Матч <b>Full time</b></p><img src="x.png" alt="Logo"><a href="/team/x">Команда</a></html>`;
    assert.deepEqual(latinTexts(markup), ['Full time', 'Logo']);
  });

  it('leaves out marked texts, code, abbreviations, addresses and the given data', () => {
    const markup = `<p>Ключ API, время UTC</p><p lang="en">Full <b>time</b></p><pre><code>curl -N</code></pre>
<p>https://example.com и ann@example.com</p><p>Red Stars – Зенит</p><p><span lang="en">Name</span> <br>после</p>`;
    assert.deepEqual(latinTexts(markup, ['Red Stars']), []);
    assert.deepEqual(latinTexts(markup), ['Red Stars – Зенит']);
    assert.deepEqual(latinTexts('<p lang="en">a b</p><p>Next one</p>'), ['Next one']);
  });
});
