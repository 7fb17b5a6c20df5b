/** Tests the GitHub workflows. Every action is pinned, and only tested code is released. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const ROOT = new URL('../../', import.meta.url).pathname;
const FOLDER = `${ROOT}.github/workflows`;
/** An action, pinned by commit, with its version as a comment. */
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

interface Job {
  needs?: string | string[];
  uses?: string;
  steps?: { run?: string }[];
}
const read = (file: string) => readFileSync(`${FOLDER}/${file}`, 'utf8');
const jobsOf = (file: string) => (parse(read(file)) as { jobs: Record<string, Job> }).jobs;

describe('the workflows', () => {
  const files = readdirSync(FOLDER);

  it('name each action by commit, always with the same commit for the same version', () => {
    const used = files.flatMap((file) =>
      [...read(file).matchAll(/^ *(?:- )?uses: (.+)$/gm)].map(([, action]) => ({ file, action: action! })),
    );
    assert.ok(used.length > 15);
    for (const { file, action } of used)
      if (action.startsWith('./')) assert.ok(existsSync(`${ROOT}${action}`), `${action} of ${file}`);
      else assert.match(action, PINNED, file);
    const commits = new Map<string, string>();
    for (const { action } of used) {
      const [, name = '', commit = '', version = ''] = /^(.+)@(\w+) # (.+)$/.exec(action) ?? [];
      const known = commits.get(`${name} ${version}`) ?? commit;
      assert.equal(commit, known, `${name} ${version}`);
      commits.set(`${name} ${version}`, commit);
    }
  });

  it('publish a release only after all suites that a change must pass, and after the suite on a real Kafka and Kubernetes', () => {
    const jobs = jobsOf('release.yaml');
    /** Returns the commands in a job, and in all jobs that it needs. */
    const before = (name: string): string[] => {
      const { needs = [], uses, steps = [] } = jobs[name]!;
      const called = uses === undefined ? [] : Object.values(jobsOf(uses.replace('./.github/workflows/', '')));
      const own = [...steps, ...called.flatMap((job) => job.steps ?? [])].map(({ run = '' }) => run);
      return [...[needs].flat().flatMap(before), ...own];
    };
    const commands = before('publish');
    for (const command of ['make check', 'make test', 'make test-cluster'])
      assert.ok(commands.includes(command), command);
  });
});
