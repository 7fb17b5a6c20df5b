/** Tests the Python client as users have it: a wheel, installed into an empty environment, with the whole service. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { applyUpdates } from '../../src/apply/apply.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { type FeedUpdate, feedUpdate } from '../../src/wire/feed-update.ts';
import { checkKills, checkStreams } from '../client/python-streams.ts';
import { type GuideService, startGuideService } from '../guides/guide-code.ts';
import { checkReceiver, SECRET } from '../guides/receivers.ts';
import { installPythonClient, installPythonTools, missingOf, run, SOURCES } from './toolbox.ts';

const PACKAGE = resolve('clients/python');
/** Packages that pip installs with the client, except those that only Python 3.10 to 3.12 need. */
const DEPENDENCIES = ['anyio', 'certifi', 'h11', 'httpcore', 'httpx', 'idna'];
const TEAMS = 12;
const SEASONS = ['2020/21', '2021/22', '2022/23', '2023/24'];

/** Returns both sides' goals, which differ between the seasons. */
const goals = (season: number, home: number, away: number) => [(home + season) % 5, (away + 2 * season) % 3] as const;

/** A league in which any two teams have met twice in each season. */
function league(): FeedUpdate[] {
  const pairs = Array.from(
    { length: TEAMS * TEAMS },
    (_, index) => [Math.floor(index / TEAMS), index % TEAMS] as const,
  );
  return SEASONS.flatMap((label, season) =>
    pairs
      .filter(([home, away]) => home !== away)
      .map(([home, away]) => {
        const [one, two] = goals(season, home, away);
        const start = Date.UTC(2020 + season, 7, 1, 15) + ((home * TEAMS + away) * 86_400_000) / 2;
        return feedUpdate.parse({
          schema: 1,
          kind: 'match',
          provider: 'live',
          observed_at: new Date(start + 7_200_000).toISOString(),
          match: {
            id: `${season}-${home}-${away}`,
            sport: 'football',
            tournament: { name: 'League of the Analyst', country: 'INT' },
            season: { label },
            home: { name: `Team ${home}` },
            away: { name: `Team ${away}` },
            scheduled_start: new Date(start).toISOString(),
            status: 'finished',
            status_detail: 'ended',
            score: { home: one, away: two },
          },
        });
      }),
  );
}

describe('the Python package touchline', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'touchline-python-'));
  const readme = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```python\n(.*?)```/gs)].map(
    ([, code]) => code!,
  );
  let service: GuideService;
  let python: string;
  before(async function () {
    if (missingOf(['python3']).length > 0) {
      console.warn('      SKIPPED, because this machine has no python3: the Python package touchline');
      return this.skip();
    }
    python = await installPythonClient(folder);
    service = await startGuideService();
    const { pool, clock, changes } = service.running.deps;
    const results = await applyUpdates({ pool, clock, changes, entities: new EntityCache() }, league(), {
      events: false,
    });
    assert.ok(results.every(({ outcome }) => outcome === 'accepted'));
    await service.report([0, 0], 1);
  });
  after(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  let score = 0;
  /** Adds a goal for Argentina. */
  const scoreGoal = async () => {
    score += 1;
    await service.report([score, 0], score + 1);
  };
  /** Writes a program from the README to a file. Returns where it is, and how it is run. */
  const program = (block: number, env: Record<string, string> = {}) => {
    const cwd = join(folder, `block-${block}`);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'program.py'), readme[block]!);
    return { cwd, env: { PATH: `${join(python, '..')}:${process.env.PATH}`, ...env } };
  };

  it('needs only httpx, and has the service’s version', async () => {
    const { out } = await run(python, ['-m', 'pip', 'list', '--format', 'json', '--disable-pip-version-check']);
    const found = new Map(JSON.parse(out).map(({ name, version }: Record<string, string>) => [name, version]));
    assert.equal(found.get('touchline'), JSON.parse(readFileSync('package.json', 'utf8')).version);
    for (const name of ['pip', 'setuptools', 'touchline', 'typing_extensions', 'exceptiongroup']) found.delete(name);
    assert.deepEqual([...found.keys()].sort(), DEPENDENCIES);
    const { all } = await run(python, ['-c', 'import touchline; print(touchline.flat({"a": {"b": 1}}))'], {
      cwd: folder,
    });
    assert.equal(all, "{'a_b': 1}\n");
  });

  it('passes the unit tests', async () => {
    cpSync(join(PACKAGE, 'tests'), join(folder, 'tests'), { recursive: true });
    await installPythonTools(python);
    const { all } = await run(python, ['-X', 'dev', '-m', 'unittest', 'discover', '-s', join(folder, 'tests')]);
    assert.match(all, /^Ran [1-9]\d* tests in/m);
    assert.doesNotMatch(all, /skipped|Warning/);
  });

  it('has strict types, in the package and for users', async () => {
    const mypy = (args: string[], cwd: string) => run(python, ['-m', 'mypy', '--strict', ...args], { cwd });
    cpSync(join(SOURCES, 'python', 'typed.py'), join(folder, 'typed.py'));
    for (const version of ['3.10', '3.13']) {
      await mypy(['--python-version', version, 'typed.py'], folder);
      await mypy(['--python-version', version, '-p', 'touchline'], folder);
    }
  });

  it('has sources that are formatted and follow the ruff rules', async () => {
    for (const args of [['check'], ['format', '--check']])
      await run(python, ['-m', 'ruff', ...args, '.'], { cwd: PACKAGE });
  });

  it('works as in its README: three seasons are a table in five lines', async () => {
    assert.ok(readme[0]!.split('\n').filter((line) => line.trim() !== '').length <= 5);
    const { code, out, err } = await service.run('program.py', program(0));
    assert.equal(code, 0, err);
    const rows = out
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.trim().split(/\s+/));
    const wanted = SEASONS.slice(1).map((label, index) => {
      const sums = [0, 0];
      for (let home = 0; home < TEAMS; home += 1)
        for (let away = 0; away < TEAMS; away += 1) {
          if (home === away) continue;
          for (const [side, count] of goals(index + 1, home, away).entries()) sums[side]! += count;
        }
      return [label, ...sums.map((sum) => sum / (TEAMS * (TEAMS - 1)))];
    });
    assert.deepEqual(
      rows.map(([label]) => label),
      SEASONS.slice(1),
    );
    for (const [index, row] of rows.entries())
      for (const column of [1, 2])
        assert.ok(Math.abs(Number(row[column]) - Number(wanted[index]![column])) < 1e-5, out);
  });

  it('works as in its README: REST', async () => {
    const { code, out, err } = await service.run('program.py', program(1));
    assert.equal(code, 0, err);
    const count = SEASONS.length * TEAMS * (TEAMS - 1) + 1;
    assert.equal(out, `League of the Analyst\n${count} matches\n404 not_found\n`);
    const refused = await service.run('program.py', program(1, { TOUCHLINE_KEY: 'sk_live_wrong' }));
    assert.match(refused.err, /ApiError: 401 key_invalid/);
  });

  it('works as in its README: goals arrive as they happen', async () => {
    const started = service.start('program.py', program(2));
    // The program does not say when it is connected, so goals are scored until it has seen one.
    const timer = setInterval(() => void scoreGoal(), 300);
    try {
      await started.until(/^match\.goal Argentina \d+ 0 France$/m);
    } finally {
      clearInterval(timer);
    }
    await started.stop();
  });

  it('works as in its README: a killed program continues from its position', async () => {
    const first = service.start('program.py', program(3));
    await first.until(/^match \d+ finished$/m);
    await scoreGoal();
    await first.until(/^event evt_/m);
    await first.stop();
    await scoreGoal();
    await scoreGoal();
    const second = service.start('program.py', program(3));
    await second.until(/(^event evt_\d+_\d+\n){2}/m);
    assert.doesNotMatch(second.output(), /^match /m);
    await second.stop();
  });

  it('works as in its README: a webhook receiver', async () => {
    const receiver = service.start('program.py', program(4, { WEBHOOK_SECRET: SECRET, PORT: '0' }));
    await checkReceiver(receiver);
    await receiver.stop();
  });

  checkStreams({ folder, python: () => ({ command: python, env: {} }), rounds: 100, kills: 10 });
  checkKills(() => ({ command: python, env: {} }), 10);
});
