import assert from 'node:assert/strict';
import { type Asker, PasswordHasher } from '../../src/accounts/members/password-hasher.ts';

const stranger = (network: number): Asker => ({ network: `198.51.100.${network}`, isKnown: false });
const known = (network: number): Asker => ({ network: `192.0.2.${network}`, isKnown: true });

/** Returns the result of each attempt: a boolean, or the problem's status. */
const outcomes = (tries: readonly Promise<boolean>[]) =>
  Promise.all(tries.map((one) => one.catch((error: { status: number }) => error.status)));

describe('the password hasher', function () {
  this.timeout(30_000);
  let passwords: PasswordHasher;
  let stored: string;
  before(async () => {
    passwords = await PasswordHasher.open();
    stored = await passwords.hash('correct horse battery', known(1));
  });

  it('uses argon2id with 19 MiB, 2 passes and 1 lane', async () => {
    assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal(await passwords.verify(stored, 'correct horse battery', known(1)), true);
    assert.equal(await passwords.verify(stored, 'correct horse batterY', known(1)), false);
    assert.equal(await passwords.verify(null, 'the password of nobody', known(1)), false);
  });

  it('refuses known and unknown addresses alike while its queue is full, even right after the process starts', async () => {
    const fresh = await PasswordHasher.open();
    const fill = outcomes(Array.from({ length: 150 }, (_, i) => fresh.verify(null, 'a guess', stranger(i % 50))));
    const [unknown, real] = await outcomes([
      fresh.verify(null, 'a guess', stranger(60)),
      fresh.verify(stored, 'a guess', stranger(61)),
    ]);
    assert.deepEqual([unknown, real], [503, 503]);
    const seen = await fill;
    assert.equal(seen.filter((outcome) => outcome === false).length, 102, '2 at once and 100 that wait');
    assert.equal(seen.filter((outcome) => outcome === 503).length, 48);
    assert.equal(await fresh.verify(stored, 'correct horse battery', stranger(60)), true);
  });

  it('gives one network at most 20 places, and leaves the rest to everybody else', async () => {
    const flood = outcomes(Array.from({ length: 100 }, () => passwords.verify(null, 'a guess', stranger(1))));
    const other = passwords.verify(stored, 'correct horse battery', stranger(2));
    assert.equal(await other, true);
    const seen = await flood;
    assert.equal(seen.filter((outcome) => outcome === false).length, 22);
  });

  it('serves known browsers 12 times out of 12 while strangers from many networks fill their own queue', async () => {
    let strangers = 0;
    const flood = outcomes(
      Array.from({ length: 150 }, async (_, i) => {
        const outcome = await passwords.verify(null, 'a guess', stranger(i % 50));
        strangers += 1;
        return outcome;
      }),
    );
    const owners = Array.from({ length: 12 }, () => passwords.verify(stored, 'correct horse battery', known(3)));
    assert.deepEqual(await outcomes(owners), Array<boolean>(12).fill(true));
    // The queues take turns, so only about 14 of the 102 strangers who came earlier are served first.
    assert.ok(strangers <= 20, `${strangers} strangers went first`);
    await flood;
  });

  it('frees a place in the queue if hashing fails', async () => {
    const bad = Array.from({ length: 10 }, () => passwords.verify('$argon2id$nonsense', 'a guess', known(4)));
    await Promise.allSettled(bad);
    assert.equal(await passwords.verify(stored, 'correct horse battery', known(4)), true);
  });
});
