import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { following, type GuideService, startGuideService } from '../guides/guide-code.ts';
import { checkReceiver, SECRET } from '../guides/receivers.ts';

const hasGo = spawnSync('go', ['version']).status === 0;

describe('the guides’ Go code', function () {
  // In the first run, Go compiles its HTTP server.
  this.timeout(10 * 60_000);
  let service: GuideService;
  before(async function () {
    if (!hasGo) {
      console.warn('      skipped: there is no go, receive.go is not run');
      this.skip();
    }
    service = await startGuideService();
  });
  after(() => service?.stop());

  it('has a webhook receiver that accepts only signed requests, even during a rotation', async () => {
    const options = { cwd: service.folder, env: { ...process.env, GOFLAGS: '' } };
    execFileSync('go', ['build', '-o', 'receiver', 'receive.go'], options);
    const receiver = following(
      spawn(join(service.folder, 'receiver'), [], { env: { WEBHOOK_SECRET: SECRET, PORT: '0' }, detached: true }),
    );
    try {
      await checkReceiver(receiver);
    } finally {
      await receiver.stop();
    }
  });
});
