import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type Drawn, initials, monogram, shieldSvg } from '../../src/catalogue/monogram.ts';
import { routes } from '../../src/catalogue/routes.ts';
import { ImageError, prepareImage, storeImage } from '../../src/identity/convert-image.ts';
import { importImages } from '../../src/importers/images/images.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

const picture = (width: number, height: number, colour = '#c00') =>
  sharp({ create: { width, height, channels: 3, background: colour } });

/** Makes a PNG with an additional chunk before the pixels. */
async function pngWith(chunk: string, data: Buffer): Promise<Buffer> {
  const png = await picture(10, 10).png().toBuffer();
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(chunk, 4, 'latin1');
  const afterHeader = 8 + 25;
  return Buffer.concat([png.subarray(0, afterHeader), head, data, Buffer.alloc(4), png.subarray(afterHeader)]);
}

async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(['#c00', '#00c'].map((colour) => picture(8, 8, colour).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** Makes a valid PNG of a few KB that unpacks to a gigabyte. */
function bomb(): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    let crc = 0xffffffff;
    for (const byte of body) crc = crcTable[(crc ^ byte) & 255]! ^ (crc >>> 8);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(30_000, 0);
  header.writeUInt32BE(30_000, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(3_751 * 300));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('images', () => {
  it('become a PNG of 150x150, whole and centred on a transparent background', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
      const { png, etag } = await prepareImage(await picture(400, 200).toFormat(format).toBuffer());
      const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
      assert.deepEqual([info.width, info.height, info.channels], [150, 150, 4], format);
      const alpha = (x: number, y: number) => data[(y * 150 + x) * 4 + 3];
      assert.deepEqual([alpha(75, 5), alpha(75, 75), alpha(2, 75), alpha(75, 145)], [0, 255, 255, 0], format);
      assert.match(etag, /^[\w-]{22}$/);
    }
  });

  it('lose all metadata and are rotated by their EXIF orientation', async () => {
    const turned = await picture(300, 100)
      .jpeg()
      .withMetadata({ orientation: 6, exif: { IFD0: { Artist: 'secret' } } })
      .toBuffer();
    const { png } = await prepareImage(turned);
    assert.ok(!png.includes('secret'));
    const { data } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    assert.equal(data[(75 * 150 + 5) * 4 + 3], 0, 'upright now: its left edge is empty');
  });

  const refused: [what: string, bytes: () => Buffer | Promise<Buffer>, reason: RegExp][] = [
    [
      'SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /must be a PNG, JPEG, WebP or GIF/,
    ],
    [
      'SVG behind an XML head',
      () => Buffer.from('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'),
      /must be a PNG/,
    ],
    ['a PDF', () => Buffer.from('%PDF-1.4'), /must be a PNG/],
    ['TIFF', async () => picture(9, 9).tiff().toBuffer(), /must be a PNG/],
    ['an empty file', () => Buffer.alloc(0), /must be a PNG/],
    ['an animated GIF', () => animated('gif'), /animated/],
    ['an animated WebP', () => animated('webp'), /animated/],
    ['an animated PNG', () => pngWith('acTL', Buffer.alloc(8)), /animated/],
    [
      'more than 700 KB',
      () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(700 * 1024)]),
      /at most 700 KB/,
    ],
    ['a gigabyte in 2 KB', bomb, /at most 16 million pixels, has 30000 x 30000/],
    ['half a JPEG', async () => (await picture(300, 300).jpeg().toBuffer()).subarray(0, 400), /corrupted JPEG/],
    [
      'half a PNG',
      async () =>
        (
          await sharp({
            create: {
              width: 200,
              height: 200,
              channels: 3,
              background: '#fff',
              noise: { type: 'gaussian', mean: 99, sigma: 50 },
            },
          })
            .png()
            .toBuffer()
        ).subarray(0, 20_000),
      /corrupted PNG/,
    ],
    ['a name of WebP alone', () => Buffer.from('RIFF____WEBPVP8 '), /corrupted WebP/],
    ['the beginning of a GIF', () => Buffer.from('GIF89a'), /corrupted GIF/],
  ];
  for (const [what, bytes, reason] of refused) {
    it(`are refused in this case: ${what}`, async () => {
      await assert.rejects(prepareImage(await bytes()), (error: Error) => {
        assert.ok(error instanceof ImageError);
        assert.match(error.message, reason);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
    });
  }
});

describe('monograms', () => {
  it('have a name’s distinctive letters', () => {
    const cases: [string, 'team' | 'player', string][] = [
      ['Manchester United', 'team', 'MU'],
      ['FC Barcelona', 'team', 'BAR'],
      ['1. FC Köln', 'team', 'KOL'],
      ['Спартак Москва', 'team', 'SM'],
      ['Kylian Mbappé', 'player', 'KM'],
      ['Virgil van Dijk', 'player', 'VD'],
      ['Ronaldinho', 'player', 'R'],
      ['AFC', 'team', 'AFC'],
    ];
    for (const [name, type, letters] of cases) assert.equal(initials(name, type), letters, name);
  });

  const team = (name: string, key = `IE|${name}`): Drawn => ({
    type: 'team',
    sport: 'football',
    gender: 'men',
    key,
    name,
  });
  const pixels = async (participant: Drawn) => {
    const { data, info } = await sharp((await monogram(participant)).png)
      .raw()
      .toBuffer({ resolveWithObject: true });
    /** Returns the colour at a place, each coordinate between 0 and 150. */
    return (x: number, y: number) => `#${data.subarray((y * info.width + x) * 4).toString('hex', 0, 3)}`;
  };

  it('are always the same for one entity, and differ by name, colours and kind', async () => {
    const [one, again, other, coloured, player] = await Promise.all([
      monogram(team('Arsenal')),
      monogram(team('Arsenal')),
      monogram(team('Chelsea')),
      monogram(team('Arsenal', 'GB-ENG|arsenal')),
      monogram({ ...team('Arsenal'), type: 'player' }),
    ]);
    assert.deepEqual(one!.png, again!.png);
    assert.equal(new Set([one, other, coloured, player].map((image) => image!.etag)).size, 4);
    const { width, height, format } = await sharp(one!.png).metadata();
    assert.deepEqual([width, height, format], [150, 150, 'png']);
  });

  it('have the colours and the pattern of the shirt, and grey if they are not known', async () => {
    const juventus = await pixels(team('Juventus', 'IT|juventus'));
    assert.deepEqual(
      [27, 51, 75, 99, 123].map((x) => juventus(x, 24)),
      ['#111111', '#ffffff', '#111111', '#ffffff', '#111111'],
    );
    const celtic = await pixels(team('Celtic', 'GB-SCT|celtic'));
    assert.deepEqual([celtic(24, 24), celtic(24, 51), celtic(45, 108)], ['#018749', '#ffffff', '#ffffff']);
    const peru = await pixels(team('Peru', 'PE|national team peru'));
    assert.deepEqual([peru(112, 24), peru(30, 24), peru(120, 100)], ['#d91023', '#ffffff', '#ffffff']);
    const unknown = await pixels(team('Pine Town'));
    assert.deepEqual([unknown(30, 24), unknown(120, 24), unknown(75, 130)], ['#66717a', '#66717a', '#66717a']);
  });

  it('need no font, and show letters', async () => {
    assert.doesNotMatch(shieldSvg('Arsenal', null), /<text|font/);
    const at = await pixels(team('Arsenal'));
    const letters = Array.from({ length: 150 * 150 }, (_, index) => at(index % 150, Math.floor(index / 150)));
    const light = letters.filter((colour) => colour === '#dfe4e7').length;
    assert.ok(light > 500, `${light} light pixels`);
  });

  it('exist for every name', async () => {
    for (const name of ['北京国安', '⚽', '<&">', "O'Neill", 'x'.repeat(200)]) {
      assert.equal((await sharp((await monogram(team(name))).png).metadata()).width, 150, name);
    }
  });
});

describe('images over REST', () => {
  let fed: Fed;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'touchline-images-'));
    fed = await startFed(routes);
    await fed.participants(
      { id: '40', type: 'team', sport: 'football', name: 'Pine Town', country: 'IE' },
      { id: '41', type: 'team', sport: 'football', name: 'Yew City', country: 'IE' },
    );
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await fed.close();
  });
  const path = async (name: string) => `/v1/participant/${await fed.participantId(name)}/image`;

  it('are monograms until a picture is stored, and again when it is removed', async () => {
    const at = await path('Pine Town');
    const drawn = await fed.app.ask(at);
    assert.equal(drawn.status, 200);
    assert.equal(drawn.headers.get('content-type'), 'image/png');
    assert.match(drawn.headers.get('cache-control')!, /max-age=604800/);
    const image = (await picture(30, 30).png().toBuffer()).toString('base64');
    const [result] = await fed.participants({
      id: '40',
      type: 'team',
      sport: 'football',
      name: 'Pine Town',
      country: 'IE',
      image,
    });
    assert.equal(result!.outcome, 'accepted');
    const stored = await fed.app.ask(at);
    assert.notDeepEqual(stored.bytes, drawn.bytes);
    assert.equal((await sharp(stored.bytes).metadata()).width, 150);
    const same = await fed.app.ask(at, { headers: { 'If-None-Match': stored.headers.get('etag')! } });
    assert.deepEqual([same.status, same.bytes.length], [304, 0]);
    const changed = await fed.app.ask(at, { headers: { 'If-None-Match': drawn.headers.get('etag')! } });
    assert.equal(changed.status, 200);
    const id = await fed.participantId('Pine Town');
    await storeImage(fed.db.pool, id, null);
    assert.deepEqual((await fed.app.ask(at)).bytes, drawn.bytes);
  });

  it('accept the key as a parameter in their URL', async () => {
    const at = await path('Yew City');
    assert.equal((await fed.app.ask(`${at}?key=${fed.app.key}`, { key: null })).status, 200);
    assert.equal((await fed.app.ask(at, { key: null })).status, 401);
  });

  it('are imported by the command from a folder, by internal or provider id, and a bad file does not stop it', async () => {
    const yew = await fed.participantId('Yew City');
    const file = (name: string, bytes: Buffer) => writeFileSync(join(folder, name), bytes);
    const red = await picture(60, 60).png().toBuffer();
    file(`${yew}.png`, red);
    file('tests_40.jpg', await picture(60, 60, '#00c').jpeg().toBuffer());
    file('broken.png', red);
    file('999999.png', red);
    file('tests_41.svg', Buffer.from('<svg/>'));
    const first = await importImages({ pool: fed.db.pool }, folder);
    assert.deepEqual([first.read, first.stored, first.unchanged], [5, 2, 0]);
    assert.deepEqual(
      first.rejected.map((one) => one.file),
      ['999999.png', 'broken.png', 'tests_41.svg'],
    );
    const shown = await fed.app.ask(await path('Pine Town'));
    const { data } = await sharp(shown.bytes).raw().toBuffer({ resolveWithObject: true });
    assert.ok(data[2]! > 190 && data[0]! < 20, 'blue');
    const again = await importImages({ pool: fed.db.pool }, folder);
    assert.deepEqual([again.stored, again.unchanged], [0, 2]);
  });
});
