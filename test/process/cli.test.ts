import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { run, start, temporaryFolder } from '../support/process.ts';

const update = (id: string, score?: { home: number; away: number }) =>
  JSON.stringify({
    schema: 1,
    kind: 'match',
    provider: 'cli',
    observed_at: '2024-05-01T12:00:00Z',
    match: {
      id,
      sport: 'football',
      tournament: { name: 'Cup', country: 'INT' },
      season: { label: '2024' },
      home: { id: 'one', name: 'One' },
      away: { id: 'two', name: 'Two' },
      scheduled_start: '2024-05-01T11:00:00Z',
      ...(score && { status: 'live', score }),
    },
  });

describe('the commands of touchline', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const env: Record<string, string> = { SECRET_KEY: 'a-secret-key-of-the-tests' };
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
    env.DATABASE_URL = db.url;
  });
  after(async () => {
    folder.remove();
    await db.drop();
  });

  it('show the usage if they are used wrongly, with exit code 2', async () => {
    for (const args of [
      ['nonsense'],
      ['serve', '--role', 'king'],
      ['key', 'create'],
      ['import', 'football-data'],
      ['key', 'create', '--account', 'a@b.co', '--plan', 'gold'],
      ['key', 'revoke', 'sk_live_x'],
      ['account', 'plan', 'a@b.co', 'gold'],
    ]) {
      const { code, err } = await run(args, { env });
      assert.equal(code, 2, args.join(' '));
      assert.match(err, /Usage: touchline/, args.join(' '));
    }
    const help = await run(['--help'], { env });
    assert.equal(help.code, 0);
    assert.match(help.out, /Usage: touchline/);
  });

  it('create a key in a new data folder, with only the key on standard output', async () => {
    const own = { DATA_DIR: join(folder.path, 'data') };
    const { code, out } = await run(['key', 'create', '--account', 'a@example.com', '--plan', 'pro'], { env: own });
    assert.equal(code, 0);
    assert.match(out, /^sk_live_[0-9A-Za-z]+\n$/);
    const bad = await run(['key', 'create', '--account', 'no address'], { env });
    assert.equal(bad.code, 1);
    assert.match(bad.err, /^touchline: [^\n]+\n$/);
  });

  it('use the plans from PLANS_FILE, and report an invalid file in one clear line', async () => {
    const file = join(folder.path, 'plans.yaml');
    writeFileSync(file, 'default: basic\nplans: [{ name: basic, title: Basic }, { name: gold, title: Gold }]');
    const own = { ...env, PLANS_FILE: file };
    assert.equal((await run(['account', 'create', 'plans@example.com'], { env: own })).code, 0);
    const moved = await run(['account', 'plan', 'plans@example.com', 'gold'], { env: own });
    assert.equal(moved.out, 'plans@example.com: basic -> gold\n');
    const unknown = await run(['account', 'plan', 'plans@example.com', 'pro'], { env: own });
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /Allowed choices are basic, gold\./);
    writeFileSync(file, 'default: basic\nplans: [{ name: basic, title: Basic, windows: { day: none } }]');
    const wrong = await run(['account', 'list'], { env: own });
    assert.equal(wrong.code, 1);
    assert.match(
      wrong.err,
      /^touchline: configuration: PLANS\.plans\.basic\.windows\.day: must be a whole number[^\n]*\n$/,
    );
  });

  it('show accounts and keys, and revoke a key', async () => {
    const account = ['account', 'show', 'operator@example.com'];
    assert.match((await run(account, { env })).err, /^touchline: there is no account operator@example.com\n$/);
    const key = (await run(['key', 'create', '--account', 'operator@example.com'], { env })).out.trim();
    const moved = await run(['account', 'plan', 'operator@example.com', 'business'], { env });
    assert.equal(moved.out, 'operator@example.com: trial -> business\n');
    assert.match(
      (await run(['account', 'list'], { env })).out,
      /^\d+ operator@example\.com business, 1 key, since \S+Z$/m,
    );
    assert.equal((await run(['key', 'revoke', key], { env })).code, 0);
    const { out } = await run(account, { env });
    assert.match(
      out,
      new RegExp(`business, 0 keys, .*\n  key \\d+ sk_live_\\w{4}…${key.slice(-4)}, created \\S+, revoked \\S+Z\n$`),
    );
    assert.ok(!out.includes(key));
  });

  it('suspend and delete an account, and print single-use links', async () => {
    const email = 'guest@example.com';
    const account = (...args: string[]) => run(['account', ...args], { env });
    await account('create', email);
    assert.equal((await account('suspend', email)).out, `${email}: suspended\n`);
    assert.match((await account('show', email)).out, /, suspended \S+Z\n$/);
    assert.equal((await account('suspend', email, '--lift')).out, `${email}: no longer suspended\n`);
    const linked = { env: { ...env, BASE_URL: 'https://touchline.example.com/' } };
    const reset = await run(['account', 'reset', email, '--second-factor'], linked);
    assert.match(reset.out, /^https:\/\/touchline\.example\.com\/account\/reset\?token=[\w-]{43}\n$/);
    assert.match((await account('invite', '--plan', 'pro')).out, /^\/account\/sign-up\?invitation=[\w-]{43}\n$/);
    assert.equal((await account('invite', 'no address')).code, 1);
    assert.equal((await account('delete', email)).code, 2, 'without --yes');
    assert.equal((await account('delete', email, '--yes')).out, `${email}: deleted\n`);
    for (const command of [['show'], ['suspend'], ['reset'], ['delete', '--yes']])
      assert.match(
        (await account(command[0]!, email, ...command.slice(1))).err,
        /there is no account guest@example\.com/,
      );
  });

  it('feed updates from a file and from standard input', async () => {
    const file = join(folder.path, 'feed.ndjson');
    writeFileSync(file, `${update('m1')}\n${update('m1', { home: 1, away: 0 })}\n`);
    const first = await run(['feed', file], { env });
    assert.deepEqual([first.code, first.out], [0, '2 accepted, 0 unchanged, 0 rejected\n']);
    const again = await run(['feed', '-'], { env, input: `${update('m1', { home: 1, away: 0 })}\nnot json\n` });
    assert.equal(again.code, 1);
    assert.match(again.out, /rejected 1: update: /);
    assert.match(again.out, /0 accepted, 1 unchanged, 1 rejected\n$/);
    assert.match((await run(['feed', '/nowhere'], { env })).err, /^touchline: cannot read \/nowhere\n$/);
  });

  it('check a feed file without a database, correct a match, and create a feed token', async () => {
    const file = join(folder.path, 'check.ndjson');
    writeFileSync(file, `${update('c1')}\n${update('c2').replace('"football"', '"fotball"')}\n`);
    const unreachable = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const checked = await run(['feed', 'check', file], { env: unreachable });
    assert.equal(checked.code, 1);
    assert.match(checked.out, /^line 2: match\.sport: known sports: [^\n]+\n2 updates, 1 valid\n$/);
    await run(['feed', '-'], { env, input: update('corrected', { home: 1, away: 0 }) });
    const { rows } = await db.pool.query("SELECT entity_id AS id FROM external_ref WHERE external_id = 'corrected'");
    const match = String(rows[0].id);
    const made = await run(['correct', 'match', match, '--score', '3:2', '--reason', 'r'], { env });
    assert.match(made.out, new RegExp(`^correction \\d+ of match ${match}\\n$`), made.err);
    assert.match((await run(['correct', 'list', match], { env })).out, /One v Two 3:2, in_play/);
    const { rows: pending } = await db.pool.query('SELECT FROM match_touch');
    assert.deepEqual(pending, [], 'sync has the correction');
    const token = await run(['feed', 'token', 'create', 'acme', '--signed'], { env });
    assert.match(token.out, /^\d+ ft_live_\w{38}\n$/);
    assert.match((await run(['pairs', 'list'], { env })).out, /^no open pairs\n$/);
  });

  it('import images by the service’s id or the provider’s, and report refused images', async () => {
    const images = join(folder.path, 'images');
    mkdirSync(images);
    const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    writeFileSync(join(images, 'cli_one.png'), png);
    writeFileSync(join(images, 'cli_two.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    const { code, out } = await run(['import', 'images', images], { env });
    assert.equal(code, 0);
    assert.match(out, /^images +2 +2 +1 +0 +0 +1 /m);
    assert.match((await run(['import', 'images', '/nowhere'], { env })).err, /is not a folder of images/);
  });

  it('import files, and end with 1 if a path has no data or a file is truncated', async () => {
    const files = join(folder.path, 'files');
    mkdirSync(files);
    const header = 'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\n';
    const good = 'E0,11/08/2023,Burnley,Man City,0,3,A\n';
    const unknown = 'XX,11/08/2023,A,B,1,0,H\n';
    const written = (name: string, content: string) => {
      writeFileSync(join(files, name), content);
      return join(files, name);
    };
    const mixed = written('mixed.csv', `${header}${good}${unknown}E0,12/08/2023,Arsenal,Fulham,2,1,H\n`);
    const first = await run(['import', 'football-data', mixed], { env });
    assert.equal(first.code, 0);
    assert.match(first.out, /^football-data +1 +3 +2 +0 +0 +1 /m);
    assert.match(first.out, /mixed\.csv:3: the league XX/);
    const rebuilt = await run(['rebuild', 'figures'], { env });
    assert.deepEqual([rebuilt.code, rebuilt.out], [0, 'computed the figures of 4 team seasons\n'], rebuilt.err);
    const { rows } = await db.pool.query('SELECT sum(wins)::int AS wins FROM team_figures');
    assert.equal(rows[0].wins, 2);
    const nothing = await run(['import', 'football-data', written('unknown.csv', header + unknown)], { env });
    assert.equal(nothing.code, 1);
    assert.match(nothing.err, /^touchline: nothing was taken from [^\n]+unknown\.csv\n$/);
    const cut = await run(['import', 'football-data', written('cut.csv', `${header}${good}E0,12/08/20`)], { env });
    assert.equal(cut.code, 1);
    assert.match(cut.err, /^touchline: 1 file of [^\n]+cut\.csv could not be read to the end\n$/);
    const help = await run(['import', '--help'], { env });
    assert.match(help.out, /--rejections[\s\S]*Exit code 1/);
  });

  it('play a recording until it ends', async () => {
    const { code, out } = await run(['play', 'world-cup-final-2022', '--speed', '100000'], { env });
    assert.equal(code, 0);
    assert.match(out, /after_penalties 3:3\n$/);
    const wrong = await run(['play', '/nowhere.yaml'], { env });
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /^touchline: [^\n]+\n$/);
    assert.equal((await run(['play', 'world-cup-final-2022', '--speed', '-1'], { env })).code, 2);
  });

  it('export matches to standard output and into a file, and report a full disk or a closed output', async () => {
    await run(['feed', '-'], { env, input: update('exported', { home: 2, away: 1 }) });
    const { code, out, err } = await run(['export', 'matches', '--format', 'ndjson'], { env });
    assert.equal(code, 0);
    const lines = out.trim().split('\n');
    assert.equal(err, `Exported ${lines.length} ${lines.length === 1 ? 'row' : 'rows'}\n`);
    assert.ok(lines.some((line) => JSON.parse(line).participants[0].score === 2));
    const output = join(folder.path, 'matches.csv');
    const file = await run(['export', 'matches', '--output', output], { env });
    assert.deepEqual([file.code, file.out], [0, '']);
    assert.equal(readFileSync(output, 'utf8').trim().split('\r\n').length, lines.length + 1);

    const full = await run(['export', 'matches'], { env, output: '/dev/full' });
    assert.equal(full.code, 1);
    assert.match(full.err, /^touchline: The export ended after \d+ rows?: no space is left on the device\n$/);
    const left = start(['export', 'matches'], { env });
    left.child.stdout!.destroy();
    const { code: leftCode, err: leftError } = await left.finished;
    assert.equal(leftCode, 1);
    assert.match(leftError, /^touchline: The export ended after \d+ rows?: the reader closed the output\n$/);

    for (const wrong of [
      ['export', 'goals'],
      ['export', 'matches', '--format', 'xlsx'],
      ['export', 'matches', '--since', 'yesterday'],
      ['export', 'matches', '--tournament', '0'],
    ])
      assert.equal((await run(wrong, { env })).code, 2, wrong.join(' '));
    const unknown = await run(['export', 'matches', '--season', '1850'], { env });
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /^touchline: No tournament has a season "1850"[^\n]*\n$/);
  });

  it('list the formats if the requested one does not exist', async () => {
    const { code, err } = await run(['import', 'nonsense', folder.path], { env });
    assert.equal(code, 2);
    assert.match(err, /football-data/);
    const nothing = await run(['import', 'football-data', '/nowhere'], { env });
    assert.equal(nothing.code, 1);
    assert.match(nothing.err, /^touchline: [^\n]+\n$/);
  });
});
