import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docs/generated-clients.md', () => {
  it('names the versions that the suite for generated clients uses', () => {
    const page = read('docs/generated-clients.md');
    const requirements = read('test/generators/python/requirements.txt');
    for (const name of ['openapi-generator-cli', 'openapi-python-client']) {
      const pin = requirements.split('\n').find((line) => line.startsWith(`${name}==`));
      assert.ok(pin !== undefined && page.includes(`pip install ${pin}`), name);
    }
    const { dependencies } = JSON.parse(read('test/generators/typescript/package.json'));
    assert.ok(page.includes(`npx openapi-typescript@${dependencies['openapi-typescript']} `));
    assert.ok(page.includes(`openapi-fetch ${dependencies['openapi-fetch']} `));
    assert.ok(page.includes(`TypeScript ${dependencies.typescript} `));
    const oapiCodegen = /oapi-codegen@v([\d.]+)/.exec(read('test/generators/toolbox.ts'))?.[0];
    assert.ok(oapiCodegen !== undefined && page.includes(oapiCodegen));
  });
});
