import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SIGNATURE_CODE } from '../../src/portal/webhook-signature.ts';
import { generateSecret } from '../../src/webhooks/secret.ts';
import { headersOf, signingKey } from '../../src/webhooks/signature.ts';
import { LONG_FORMS } from '../support/long-forms.ts';

const BODY = '{"id":"evt_1_1","type":"match.goal","data":{"name":"Ünï 🎾"}}';

interface Case {
  name: string;
  headers: Record<string, string>;
  body: string;
  secret: string;
  expected: boolean;
}

/** What is sent now, and what differs from it in one thing. */
function casesOf(): Case[] {
  const [secret, other] = [generateSecret(), generateSecret()];
  const now = Math.floor(Date.now() / 1_000);
  const sent = (timestamp: number, secrets: string[]) =>
    headersOf(
      { id: 'evt_1_1', timestamp, body: Buffer.from(BODY), attempt: 1, deliveryId: 'dlv_1_1_1' },
      secrets.map(signingKey),
    );
  const base = { headers: sent(now, [secret]), body: BODY, secret, expected: true };
  return [
    { ...base, name: 'genuine' },
    { ...base, name: 'during a rotation, by the old secret', headers: sent(now, [other, secret]) },
    { ...base, name: 'another body', body: `${BODY} `, expected: false },
    { ...base, name: 'another secret', secret: other, expected: false },
    { ...base, name: 'old', headers: sent(now - 400, [secret]), expected: false },
    { ...base, name: 'no signature', headers: { 'X-Service-Timestamp': String(now) }, expected: false },
    { ...base, name: 'no headers', headers: {}, expected: false },
  ];
}

describe('The code that verifies a delivery', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchline-signature-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (command: string, args: string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    assert.equal(status, 0, `${error?.message ?? ''}${stderr}`);
    return stdout.trim();
  };
  const isInstalled = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;
  const verdicts = (cases: readonly Case[], text: string) => {
    const given = text.split('\n');
    assert.deepEqual(
      cases.map(({ name }, index) => `${name}: ${given[index]}`),
      cases.map(({ name, expected }) => `${name}: ${expected}`),
    );
  };

  it('TypeScript', async () => {
    const file = join(folder, 'verify.ts');
    writeFileSync(file, SIGNATURE_CODE.TypeScript);
    const { isGenuine } = (await import(file)) as {
      isGenuine(headers: Record<string, string>, body: string, secret: string): boolean;
    };
    const cases = casesOf();
    const lower = (headers: Record<string, string>) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const given = cases.map(({ headers, body, secret }) => isGenuine(lower(headers), body, secret));
    verdicts(cases, given.join('\n'));
  });

  it('Python', function () {
    if (!isInstalled('python3', '--version')) this.skip();
    writeFileSync(
      join(folder, 'verify.py'),
      `${SIGNATURE_CODE.Python}\n\nimport json\nfor one in json.load(open("cases.json", "rb")):\n    print(str(is_genuine(one["headers"], one["body"].encode(), one["secret"])).lower())\n`,
    );
    const cases = casesOf();
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
    verdicts(cases, run('python3', ['verify.py']));
  });

  it('Go', function () {
    // Compiling the standard library takes a quarter of a minute.
    if (!LONG_FORMS || !isInstalled('go', 'version')) this.skip();
    writeFileSync(join(folder, 'go.mod'), 'module hooks\n\ngo 1.20\n');
    writeFileSync(join(folder, 'verify.go'), SIGNATURE_CODE.Go);
    const checks = `package hooks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
)

func TestCases(t *testing.T) {
	text, _ := os.ReadFile("cases.json")
	var cases []struct {
		Headers      map[string]string
		Body, Secret string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		fmt.Println(IsGenuine(header, []byte(one.Body), one.Secret))
	}
}
`;
    writeFileSync(join(folder, 'verify_test.go'), checks);
    const cases = casesOf();
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
    const printed = run('go', ['test', '-v', './...'], { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' });
    verdicts(
      cases,
      printed
        .split('\n')
        .filter((line) => /^(true|false)$/.test(line))
        .join('\n'),
    );
  });
});
