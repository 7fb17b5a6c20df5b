/** Zip archives: files are read one by one, and a hostile or damaged archive gives a fault instead of a file. */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import type { InputFile } from '../../src/importers/files.ts';
import { MOST_ENTRY_BYTES, zipFiles } from '../../src/importers/zip.ts';
import { filesOf, removeFiles } from './fixture.ts';

interface Packed {
  name: string;
  content: Buffer;
  /** What the archive claims, if it differs. */
  size?: number;
  flags?: number;
  damaged?: boolean;
}

/** Writes a zip archive, so that also archives that no tool writes can be tested. */
function zip(files: readonly Packed[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size = content.length, flags = 0, damaged } of files) {
    const packed = deflateRawSync(content);
    const sum = crc32(content);
    if (damaged) packed.fill(0xff, 0, Math.min(8, packed.length));
    const written = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(sum, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(written.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 6);
    local.copy(entry, 8, 6, 30);
    entry.writeUInt16LE(written.length, 28);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, written);
    parts.push(local, written, packed);
    offset += 30 + written.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

async function read(archive: Buffer): Promise<{ texts: Record<string, string>; faults: string[] }> {
  const path = join(filesOf({ 'a.zip': archive }), 'a.zip');
  const file: InputFile = { path, name: 'a.zip', folder: '', observedAt: '2026-01-01T00:00:00Z' };
  const texts: Record<string, string> = {};
  const faults: string[] = [];
  for await (const item of zipFiles(file, (name) => name.endsWith('.json'))) {
    if ('kind' in item) faults.push(`${item.position.slice(path.length)} ${item.detail}`);
    else texts[item.name] = item.text;
  }
  return { texts, faults };
}

const text = (content: string) => Buffer.from(content);

describe('zip archives', () => {
  after(removeFiles);

  it('yields the accepted files, also in folders', async () => {
    const { texts, faults } = await read(
      zip([
        { name: 'README.txt', content: text('no') },
        { name: 'one.json', content: text('{"a":1}') },
        { name: 'in/two.json', content: text('Málaga') },
      ]),
    );
    assert.deepEqual(texts, { 'one.json': '{"a":1}', 'two.json': 'Málaga' });
    assert.deepEqual(faults, []);
  });

  it('refuses a name that leads out of the archive', async () => {
    const { texts, faults } = await read(
      zip([
        { name: '../two.json', content: text('2') },
        { name: 'one.json', content: text('1') },
      ]),
    );
    assert.deepEqual(texts, { 'one.json': '1' });
    assert.match(faults[0]!, /invalid relative path: \.\.\/two\.json/u);
  });

  it('refuses a bomb by its size, by its ratio, and one that unpacks to more than it says', async () => {
    const big = Buffer.alloc(4 * 1024 * 1024);
    const { texts, faults } = await read(
      zip([
        { name: 'huge.json', content: text('x'), size: MOST_ENTRY_BYTES + 1 },
        { name: 'ratio.json', content: big },
        { name: 'liar.json', content: big, size: 10 },
        { name: 'last.json', content: text('4') },
      ]),
    );
    assert.deepEqual(texts, { 'last.json': '4' });
    assert.match(faults[0]!, /^#huge\.json unpacks to 33554433 bytes, more than 33554432/u);
    assert.match(faults[1]!, /^#ratio\.json unpacks to 4194304 bytes from \d+, which is not a text file/u);
    assert.match(faults[2]!, /^#liar\.json cannot be read: too many bytes/u);
  });

  it('goes on after a damaged or an encrypted entry', async () => {
    const { texts, faults } = await read(
      zip([
        { name: 'bad.json', content: text('abc'.repeat(100)), damaged: true },
        { name: 'secret.json', content: text('x'), flags: 1 },
        { name: 'good.json', content: text('1') },
      ]),
    );
    assert.deepEqual(texts, { 'good.json': '1' });
    assert.match(faults[0]!, /^#bad\.json cannot be read: /u);
    assert.match(faults[1]!, /^#secret\.json is encrypted/u);
  });

  it('reports a file that is no archive, and one that ends in the middle', async () => {
    assert.match((await read(text('not a zip'))).faults[0]!, /cannot be read as a zip archive any further/u);
    const whole = zip([{ name: 'one.json', content: text('1') }]);
    assert.match((await read(whole.subarray(0, whole.length - 10))).faults[0]!, /cannot be read as a zip archive/u);
  });
});
