import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { AddressRefused, createGuard, type Guard, isPublicAddress } from '../../src/outbound/address-guard.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';

const literal = (host: string) => `https://${host}/hook`;
const HOSTS_V4 =
  `127.0.0.1 127.1 127.0.1 127.255.255.254 0.0.0.0 0 0x0 2130706433 017700000001 0x7f000001 0x7f.0.0.1 0x7f.1 0177.0.0.1 0177.1
  0177.0x0.0.01 127.0x0.0.1 00000177.0.0.1 10.0.0.1 10.255.255.255 10.1 0xa.0.0.1 012.0.0.1 167772161 172.16.0.1 172.31.255.255 0xac.16.0.1
  192.168.0.1 192.168.1 192.168.255.255 0300.0250.0.1 3232235521 0xc0a80001 169.254.169.254 169.254.0.1 2852039166 0xa9fea9fe 0251.0376.0251.0376
  169.254.43518 0xa9.254.0xa9.254 169.254.170.2 168.63.129.16 2822734096 100.64.0.1 100.127.255.255 100.100.100.200 1681915904 192.0.0.1 192.0.0.192
  192.0.2.1 198.51.100.7 203.0.113.9 198.18.0.1 198.19.255.255 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295
  192.31.196.1 192.52.193.1 192.175.48.1 127.0.0.1. 0x7f000001. 2130706433.`.split(/\s+/);
const HOSTS_V6 =
  `[::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:10.0.0.1]
  [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:192.168.0.1] [::ffff:8.8.8.8] [::ffff:0:127.0.0.1] [::127.0.0.1] [::10.0.0.1] [::7f00:1] [::8.8.8.8]
  [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b::808:808] [64:ff9b:1::7f00:1] [64:ff9b:1:fffe::a00:1]
  [2002:7f00:1::] [2002:7f00:0001::1] [2002:a00:1::] [2002:c0a8:1::1] [2002:a9fe:a9fe::] [2002:808:808::1] [2001::1] [2001:0:7f00:1::]
  [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:0:a9fe:a9fe::1] [2001:db8::1] [3fff::1] [2001:2::1] [2001:10::1] [2001:20::1] [100::1] [5f00::1]
  [fe80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fdff:ffff::1] [ff02::1] [ff0e::1] [4000::1] [8000::1] [e000::1]
  [2620:4f:8000::1] [::2]`.split(/\s+/);
const NAMES =
  `localhost LOCALHOST localhost. localhost.localdomain foo.localhost a.b.localhost kubernetes kubernetes.default.svc
  api.prod.svc.cluster.local api.cluster.local etcd.kube-system.svc metadata metadata.google.internal metadata.google.internal. printer.local
  host.docker.internal gateway.docker.internal db.internal db.corp nas.home router.lan modem.home.arpa wiki.intranet x.private x.test x.invalid
  x.onion 1.0.0.127.in-addr.arpa example.com. example redis touchline-postgres`.split(/\s+/);
const WHOLE = [
  'http://example.com/',
  'http://127.0.0.1/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://example.com/',
  'https:',
  'https://',
  'https:///',
  '//example.com/',
  '/hook',
  'example.com',
  '',
  ' https://example.com/',
  'https://example.com/ ',
  'https://exa mple.com/',
  'https://example.com:8443/',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:0/',
  'https://example.com:65536/',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://:password@example.com/',
  'https://@example.com/',
  'https://example.com@127.0.0.1/',
  'https://127.0.0.1@example.com/',
  'https://example.com#@127.0.0.1/',
  'https://example.com/#fragment',
  'https://example.com\\@127.0.0.1/',
  'https:\\\\127.0.0.1\\',
  'https://127.0.0.1\\.example.com/',
  'https://example.com/\r\nX-Evil: 1',
  'https://example.com/\nHost: internal',
  'https://example.com/%0d%0a\t',
  'https://example.com\t/',
  'https://example.com/\u0000',
  'https://example.com/\u0085',
  'https://example.com/\u2028',
  'https://127。0。0。1/',
  'https://１２７.０.０.１/',
  'https://①②⑦.⓪.⓪.①/',
  'https://ｌｏｃａｌｈｏｓｔ/',
  'https://lo\u00adcalhost/',
  'https://loc\u200balhost/',
  'https://%31%32%37.0.0.1/',
  'https://0x7f%2e1/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[::1]:8443/',
  'https://[::1',
  'https://[127.0.0.1]/',
  'https://[::ffff:127.0.0.1]@example.com/',
  'https://256.256.256.256/',
  'https://1.2.3.4.5/',
  'https://0x100000000/',
  'https://8.8.8.8:53/',
  `https://example.com/${'x'.repeat(2_100)}`,
];
const HOSTILE = [...HOSTS_V4.map(literal), ...HOSTS_V6.map(literal), ...NAMES.map(literal), ...WHOLE];

const FINE =
  `https://example.com/ https://example.com/hook?x=1&y=%0a https://sub.domain.example.co.uk/a/b https://8.8.8.8/ https://[2606:4700::1111]/x
  https://münchen.de/ https://xn--mnchen-3ya.de/ https://EXAMPLE.com:443/ https://1.1.1.1.nip.io/ https://internal.example.com/ https://a-b.example/`.split(
    /\s+/,
  );

const refusal = (error: unknown): true => {
  assert.ok(error instanceof AddressRefused, String(error));
  return true;
};

describe('the address guard', function () {
  this.timeout(60_000);
  const strict = createGuard({ allow: [] });

  it(`each of ${HOSTILE.length} hostile addresses is refused without a DNS query`, async () => {
    assert.ok(HOSTILE.length >= 200 && new Set(HOSTILE).size === HOSTILE.length);
    for (const url of HOSTILE) {
      assert.throws(() => strict.parse(url), refusal, `${JSON.stringify(url)} was allowed`);
    }
  });

  it('public addresses are allowed', () => {
    for (const url of FINE) assert.ok(strict.parse(url), url);
  });

  it('the public ranges in both address families equal the published ranges', () => {
    for (const one of [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.215.14',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1',
      '2a00:1450:4001::1',
    ]) {
      assert.ok(isPublicAddress(one), one);
    }
    for (const one of ['fe80::1%eth0', '127.1', 'example.com', '']) assert.ok(!isPublicAddress(one), one);
  });

  describe('with name servers', () => {
    let names: NameServer;
    let guard: Guard;
    let listener: Server;
    let connections = 0;
    let port = 0;

    before(async () => {
      names = await startNameServer();
      listener = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      port = (listener.address() as { port: number }).port;
      guard = createGuard({ allow: [], nameServers: [names.address] });
    });
    after(async () => {
      await names.close();
      listener.close();
    });

    const check = (name: string, one = guard) => one.check(one.parse(literal(name)));
    const send = async (url: string, one = guard, timeoutMs = 4_000) => {
      const sender = openSender({ guard: one, timeoutMs });
      const outcome = await sender.send(new URL(url), {}, Buffer.from('{}'), 1);
      sender.close();
      return outcome;
    };

    it('a check returns a public name’s addresses', async () => {
      names.answer('fine.example.com', { a: ['93.184.215.14'], aaaa: ['2606:4700::1111'] });
      assert.deepEqual(await check('fine.example.com'), [
        { address: '93.184.215.14', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ]);
    });

    it('a name is refused if any of its addresses is not public', async () => {
      for (const [a, aaaa] of [
        [['127.0.0.1'], []],
        [['93.184.215.14', '10.0.0.1'], []],
        [['93.184.215.14'], ['::1']],
        [['93.184.215.14'], ['::ffff:10.0.0.1']],
        [[], ['fd00:ec2::254']],
        [['169.254.169.254'], ['2606:4700::1111']],
        [[], ['64:ff9b::7f00:1']],
        [['0.0.0.0'], []],
      ] as [string[], string[]][]) {
        names.answer('mixed.example.com', { a, aaaa });
        await assert.rejects(check('mixed.example.com'), /not public/, JSON.stringify([a, aaaa]));
        const { failure } = await send('https://mixed.example.com/');
        assert.match(failure!, /not public/);
      }
      assert.equal(connections, 0);
    });

    it('a name that does not exist, or whose look-up hangs, is reported as a failure', async () => {
      names.answer('none.example.com', 'nxdomain');
      assert.match((await send('https://none.example.com/')).failure!, /cannot be resolved \(ENOTFOUND\)/);
      names.answer('hangs.example.com', 'silence');
      const begun = performance.now();
      assert.match((await send('https://hangs.example.com/', guard, 500)).failure!, /no reply within 0.5 s/);
      assert.ok(performance.now() - begun < 4_000, 'cut at the deadline, not when the resolver gives up');
    });

    it('a name that now resolves to a private address is refused before the send, without a connection', async () => {
      // This port is allowed only on a public address.
      const one = createGuard({ allow: [`93.184.215.14:${port}`], nameServers: [names.address] });
      names.answer('turns.example.com', { a: ['93.184.215.14'] });
      const url = `https://turns.example.com:${port}/`;
      await one.check(one.parse(url));
      names.answer('turns.example.com', { a: ['127.0.0.1'] });
      assert.match((await send(url, one)).failure!, /not public/);
      assert.equal(connections, 0);
    });

    it('a name is resolved once for each connection, so a DNS answer that changes between check and connect has no effect', async () => {
      const one = createGuard({ allow: [`127.0.0.1:${port}`], nameServers: [names.address] });
      const asked = names.asked('rebinds.example.com');
      let turn = 0;
      // Only the first answer is allowed. Every later answer points elsewhere.
      names.answer('rebinds.example.com', () => {
        turn += 1;
        return { a: [turn === 1 ? '127.0.0.1' : '127.0.0.2'] };
      });
      connections = 0;
      const { failure } = await send(`https://rebinds.example.com:${port}/`, one);
      assert.equal(connections, 1, 'it has connected to the checked address');
      assert.match(failure!, /connection broken/);
      assert.ok(names.asked('rebinds.example.com') - asked <= 2, 'one question for each family');
      connections = 0;
    });

    it('no hostile address causes a connection', async () => {
      // Replaces the port by the listener's, whatever the address means.
      const at = (url: string) => {
        try {
          const parsed = new URL(url);
          parsed.port = String(port);
          return parsed;
        } catch {
          return null;
        }
      };
      const sender = openSender({ guard, timeoutMs: 4_000 });
      let tried = 0;
      for (const url of HOSTILE) {
        const target = at(url);
        if (target === null) continue;
        tried += 1;
        const { status, failure } = await sender.send(target, {}, Buffer.from('{}'), 1);
        assert.equal(status, null);
        assert.match(failure!, /^the address /, url);
      }
      sender.close();
      assert.ok(tried > 150);
      assert.equal(connections, 0);
    });
  });

  describe('with WEBHOOK_ALLOW', () => {
    const allows = (allow: string[], url: string) => {
      try {
        createGuard({ allow }).parse(url);
        return true;
      } catch (error) {
        refusal(error);
        return false;
      }
    };

    it('an entry allows only the addresses that it names', () => {
      for (const [entry, url, expected] of [
        ['receiver', 'https://receiver/', true],
        ['receiver', 'https://receiver:8443/', false],
        ['receiver:8443', 'https://receiver:8443/', true],
        ['receiver:*', 'https://receiver:1/', true],
        ['receiver', 'http://receiver/', false],
        ['http://receiver', 'http://receiver/', true],
        ['http://receiver', 'https://receiver/', false],
        ['http://receiver:8080', 'http://receiver:8080/x', true],
        ['http://receiver:8080', 'http://receiver/', false],
        ['Hooks.Example.com:8443', 'https://hooks.example.com:8443/', true],
        ['hooks.example.com:8443', 'https://other.example.com:8443/', false],
        ['hooks.example.com', 'https://a.hooks.example.com.svc/', false],
        ['10.1.2.3', 'https://10.1.2.3/', true],
        ['10.1.2.3', 'https://10.1.2.4/', false],
        ['10.0.0.0/8', 'https://10.200.1.1/', true],
        ['10.0.0.0/8', 'https://11.0.0.1:443/', true],
        ['10.0.0.0/8', 'https://172.16.0.1/', false],
        ['10.0.0.0/8:8443', 'https://10.1.1.1:8443/', true],
        ['10.0.0.0/8:8443', 'https://10.1.1.1/', false],
        ['http://127.0.0.0/8:*', 'http://127.0.0.1:9999/', true],
        ['http://127.0.0.0/8:*', 'http://2130706433:9999/', true],
        ['http://127.0.0.0/8:*', 'http://[::1]:9999/', false],
        ['[fd00::/8]:8443', 'https://[fd12::1]:8443/', true],
        ['[fd00::/8]:8443', 'https://[fe80::1]:8443/', false],
        ['fd00::/8', 'https://[fd12::1]/', null],
      ] as [string, string, boolean | null][]) {
        if (expected === null) assert.throws(() => createGuard({ allow: [entry] }), /not a valid entry/);
        else assert.equal(allows([entry], url), expected, `${entry} and ${url}`);
      }
    });

    it('invalid entries are refused', () => {
      for (const entry of [
        '',
        '*',
        'http://',
        'a b',
        'x:0',
        'x:65536',
        'x:y',
        '10.0.0.0/33',
        '10.0.0',
        '[::1',
        'ftp://x',
        'a/b',
        'http://x/y',
        '-x',
      ]) {
        assert.throws(() => createGuard({ allow: [entry] }), /not a valid entry of WEBHOOK_ALLOW/, entry);
      }
    });
  });
});
