/** Tests the rules in src/imports.json on small checkouts. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { importFaults } from '../support/import-rules.ts';

describe('the import check', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'touchline-imports-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Writes a checkout in which each file imports the listed files, and returns the faults in it. */
  const check = (rules: object, files: Record<string, string[]>): string[] => {
    for (const [file, imports] of Object.entries(files)) {
      const path = join(root, 'src', file);
      mkdirSync(dirname(path), { recursive: true });
      const up = '../'.repeat(file.split('/').length - 1) || './';
      writeFileSync(path, imports.map((one) => `import { one } from '${up}${one}';\n`).join(''));
    }
    writeFileSync(join(root, 'src/imports.json'), JSON.stringify(rules));
    return importFaults(root);
  };

  it('allows listed imports, and any import in top-level files', () => {
    const rules = {
      base: { imports: [] },
      shop: { imports: ['base'], files: { 'role.ts': ['role'] } },
      role: { imports: [] },
    };
    const files = {
      'base/base.ts': [],
      'shop/shop.ts': ['base/base.ts'],
      'shop/role.ts': ['role.ts'],
      'role.ts': [],
      'main.ts': ['shop/shop.ts', 'base/base.ts'],
    };
    assert.deepEqual(check(rules, files), []);
  });

  it('refuses an import that is not listed, an import from a room above, and an entry that no file needs', () => {
    const rules = {
      base: { imports: ['shop'] },
      shop: { imports: ['role'], files: { 'a.ts': ['role'] } },
      role: { imports: [] },
    };
    assert.deepEqual(
      check(rules, { 'base/base.ts': ['shop/a.ts'], 'shop/a.ts': ['base/base.ts'], 'new/new.ts': ['base/base.ts'] }),
      [
        'new may not import base',
        'shop may not import base',
        'base may not list shop, which is not above it',
        'shop may not list role, which is not above it',
        'shop lists role, which it does not import',
        'shop/a.ts lists role, which it does not import',
      ],
    );
  });

  it('lets a room import only its neighbours’ public files, and requires each public file to be imported', () => {
    const rules = { base: { imports: [], public: ['base.ts', 'unused.ts'] }, shop: { imports: ['base'] } };
    const files = {
      'shop/shop.ts': ['base/base.ts', 'base/parts/hidden.ts'],
      'base/parts/hidden.ts': [],
      'main.ts': ['base/base.ts'],
    };
    assert.deepEqual(check(rules, files), [
      'base lists unused.ts as public, which no other room imports',
      'shop/shop.ts imports base/parts/hidden.ts, which is not public',
    ]);
  });

  it('also restricts imports between a room’s parts', () => {
    const rules = {
      shop: { imports: [], folders: { 'base.ts': [], stock: ['base.ts'], till: ['stock'], '.': ['till'] } },
    };
    const right = {
      'shop/base.ts': [],
      'shop/stock/stock.ts': ['shop/base.ts'],
      'shop/till/till.ts': ['shop/stock/stock.ts'],
    };
    assert.deepEqual(check(rules, { ...right, 'shop/shop.ts': ['shop/till/till.ts'] }), []);
    assert.deepEqual(
      check(rules, { ...right, 'shop/stock/more.ts': ['shop/till/till.ts'], 'shop/other/one.ts': ['shop/base.ts'] }),
      ['shop: other may not import base.ts', 'shop: stock may not import till'],
    );
  });
});
