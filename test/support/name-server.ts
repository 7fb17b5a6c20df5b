/** A name server over UDP that answers A and AAAA questions as a test configures it. */
import { createSocket } from 'node:dgram';

export interface Records {
  a?: string[];
  aaaa?: string[];
}
type NameAnswer = Records | 'nxdomain' | 'silence' | (() => Records);

export interface NameServer {
  /** host:port, for `nameServers`. */
  address: string;
  answer(name: string, answer: NameAnswer): void;
  /** Returns how many questions about a name were received so far. */
  asked(name: string): number;
  close(): Promise<void>;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;

function v6Bytes(text: string): Buffer {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const hex = (one: string, two: string) => ((Number(one) << 8) | Number(two)).toString(16);
  const plain = dotted ? `${dotted[1]}${hex(dotted[2]!, dotted[3]!)}:${hex(dotted[4]!, dotted[5]!)}` : text;
  const [left = '', right] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const before = groups(left);
  const behind = right === undefined ? [] : groups(right);
  const zeros = Array<string>(8 - before.length - behind.length).fill('0');
  const bytes = Buffer.alloc(16);
  [...before, ...zeros, ...behind].forEach((group, place) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), place * 2);
  });
  return bytes;
}

export async function startNameServer(): Promise<NameServer> {
  const answers = new Map<string, NameAnswer>();
  const questions = new Map<string, number>();
  const socket = createSocket('udp4');

  socket.on('message', (message, from) => {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    while (message[at] !== 0) {
      const length = message[at]!;
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = message.readUInt16BE(at + 1);
    const question = message.subarray(HEADER_BYTES, at + 5);
    const name = labels.join('.').toLowerCase();
    questions.set(name, (questions.get(name) ?? 0) + 1);
    const told = answers.get(name) ?? 'nxdomain';
    const answer = typeof told === 'function' ? told() : told;
    if (answer === 'silence') return;
    const data =
      answer === 'nxdomain'
        ? []
        : type === TYPE_A
          ? (answer.a ?? []).map((text) => Buffer.from(text.split('.').map(Number)))
          : type === TYPE_AAAA
            ? (answer.aaaa ?? []).map(v6Bytes)
            : [];
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (answer === 'nxdomain' ? 3 : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(data.length, 6);
    const records = data.map((bytes) => {
      const record = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
      return Buffer.concat([record, bytes]);
    });
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    answer: (name, answer) => answers.set(name, answer),
    asked: (name) => questions.get(name) ?? 0,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
