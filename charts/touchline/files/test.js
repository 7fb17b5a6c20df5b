// The program of `helm test`: asks the Services of the release, each with a key or a token that is unknown. Only a service that is up, and
// has asked its database about the key, refuses it with 401. Arguments: seconds that this may take, the host of the public address, and
// role=address of each Service.
const { request } = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

const PATHS = {
  api: ['GET', '/v1/sports', { 'X-API-Key': 'sk_live_helm_test' }],
  stream: ['GET', '/v1/stream', { 'X-API-Key': 'sk_live_helm_test' }],
  ingest: ['POST', '/feed/v1/updates', { Authorization: 'Bearer helm-test', 'Content-Type': 'application/json' }],
};
const TIMEOUT_MS = 5_000;

/** The status of the answer. */
function ask(role, url, host) {
  const [method, path, headers] = PATHS[role];
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { method, headers: { ...headers, Host: host }, timeout: TIMEOUT_MS });
    asked.on('response', (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)));
    asked.on('error', reject);
    asked.end(method === 'POST' ? '[]' : undefined);
  });
}

async function check(role, url, host, end) {
  for (;;) {
    const outcome = await ask(role, url, host).catch((error) => error.message || error.code);
    if (outcome === 401) {
      console.log(`${role}: ${url} answers, and refuses an unknown key`);
      return true;
    }
    if (Date.now() > end) {
      console.log(`${role}: ${url} should refuse an unknown key with 401: ${outcome}`);
      return false;
    }
    await sleep(1_000);
  }
}

const [seconds, host, ...services] = process.argv.slice(1);
const end = Date.now() + Number(seconds) * 1_000;
Promise.all(services.map((service) => check(...service.split(/=(.*)/s).slice(0, 2), host, end))).then((passed) => {
  // A stream that was opened by mistake would keep the process.
  process.exit(passed.every(Boolean) ? 0 : 1);
});
