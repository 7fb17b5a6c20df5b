import assert from 'node:assert/strict';
import { createPushFixture, type PushFixture } from '../support/push-fixture.ts';
import { type PushService, startPushService } from '../support/push-service.ts';
import { until } from '../support/until.ts';

const ARSENAL = 11;
const CHELSEA = 12;
const PATIENCE = 20_000;

describe('notifications for browsers', function () {
  this.timeout(60_000);
  let fixture: PushFixture;
  let service: PushService;

  beforeEach(async () => {
    fixture = await createPushFixture();
    service = await startPushService();
  });
  afterEach(async () => {
    await fixture.close();
    await service.close();
  });

  const goal = { type: 'match.finished' as const, sides: [ARSENAL, CHELSEA] as const, name: 'Arsenal' };
  const paths = () => service.received.map(({ path }) => path.slice('/push/'.length)).sort();
  const has = (count: number) => until(`${count} have come`, () => service.received.length >= count, PATIENCE);

  it('reach the browsers of members who follow a side, encrypted and in the language of each', async () => {
    const fan = await fixture.member('fan@example.com', [ARSENAL]);
    const guest = await fixture.member('guest@example.com', [CHELSEA]);
    const other = await fixture.member('other@example.com', [99]);
    await fixture.add(fan.memberId, service.browser('fan'));
    await fixture.add(guest.memberId, service.browser('guest'), { lang: 'ru' });
    await fixture.add(other.memberId, service.browser('other'));
    const { registry } = fixture.start();
    await until('it leads', async () => (await fixture.db.pool.query('SELECT FROM push_position')).rowCount === 5);
    await fixture.publish(goal, { ...goal, type: 'match.odds_changed' });
    await has(2);
    assert.deepEqual(paths(), ['fan', 'guest']);
    const [first] = service.received.filter(({ path }) => path === '/push/fan');
    assert.deepEqual(first!.payload, {
      title: 'Arsenal 1–0 Away',
      body: '🏁 Live',
      tag: '1-match.finished-1',
      renotify: true,
      path: 'match/1',
      lang: 'en',
    });
    await until('both are counted', async () => (await fixture.count(registry, 'sent')) === 2);
  });
});
