/**
 * A trace collector. It receives spans by OTLP over HTTP, in protobuf as the service sends them, and prints a trace as
 * a tree.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty if the span begins a trace. */
  parentId: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Nanoseconds since 1970. */
  start: bigint;
  end: bigint;
  attributes: Record<string, string | number | boolean>;
  /** Ids of the spans that it links to. */
  links: string[];
  isError: boolean;
  /** Attributes of the process that sent the span. */
  resource: Record<string, string | number | boolean>;
}

export interface Collector {
  /** Value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** Status of the replies; null for no reply. */
  status: number | null;
  /** Headers of all requests so far. */
  requests: IncomingMessage['headers'][];
  /** Returns the newest trace that has an event of this type; empty if there is none. */
  traceWith(eventType: string): CollectedSpan[];
  close(): Promise<void>;
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const STATUS_ERROR = 2;

/** Reads a protobuf message's fields, by number. Numbers are returned as bigint, everything else as bytes. */
function readFields(bytes: Buffer): (number: number) => (bigint | Buffer)[] {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    let value: bigint | Buffer;
    if (wire === 0) value = varint();
    else {
      const length = wire === 2 ? Number(varint()) : wire === 1 ? 8 : 4;
      value = bytes.subarray(at, at + length);
      at += length;
    }
    const number = tag >>> 3;
    const known = fields.get(number);
    if (known === undefined) fields.set(number, [value]);
    else known.push(value);
  }
  return (number) => fields.get(number) ?? [];
}

const messages = (values: (bigint | Buffer)[]) => (values as Buffer[]).map(readFields);
const text = ([value]: (bigint | Buffer)[]) => (value as Buffer | undefined)?.toString('utf8') ?? '';
const hex = ([value]: (bigint | Buffer)[]) => (value as Buffer | undefined)?.toString('hex') ?? '';
const fixed = ([value]: (bigint | Buffer)[]) => (value as Buffer).readBigUInt64LE();

/** opentelemetry.proto.common.v1.KeyValue */
function readAttributes(values: (bigint | Buffer)[]): CollectedSpan['attributes'] {
  return Object.fromEntries(
    messages(values).map((pair) => {
      const value = messages(pair(2))[0]!;
      const [string, flag, integer, double] = [1, 2, 3, 4].map((number) => value(number)[0]);
      if (flag !== undefined) return [text(pair(1)), flag === 1n];
      if (integer !== undefined) return [text(pair(1)), Number(BigInt.asIntN(64, integer as bigint))];
      if (double !== undefined) return [text(pair(1)), (double as Buffer).readDoubleLE()];
      return [text(pair(1)), (string as Buffer | undefined)?.toString('utf8') ?? ''];
    }),
  );
}

/** opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest */
function readSpans(body: Buffer): CollectedSpan[] {
  return messages(readFields(body)(1)).flatMap((process) => {
    const resource = readAttributes(messages(process(1)).flatMap((one) => one(1)));
    const spans = messages(process(2)).flatMap((scope) => messages(scope(2)));
    return spans.map((span) => ({
      traceId: hex(span(1)),
      spanId: hex(span(2)),
      parentId: hex(span(4)),
      name: text(span(5)),
      kind: KINDS[Number(span(6)[0] ?? 0)]!,
      start: fixed(span(7)),
      end: fixed(span(8)),
      attributes: readAttributes(span(9)),
      links: messages(span(13)).map((link) => hex(link(2))),
      isError: messages(span(15)).some((status) => status(3)[0] === BigInt(STATUS_ERROR)),
      resource,
    }));
  });
}

const byStart = (a: CollectedSpan, b: CollectedSpan) => Number(a.start - b.start);

/** Formats a trace. Each span is a line below its parent, with when it began and how long it took, in ms. */
export function traceTree(spans: readonly CollectedSpan[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const origin = [...spans].sort(byStart)[0]?.start ?? 0n;
  const ms = (nanoseconds: bigint) => (Number(nanoseconds) / 1e6).toFixed(1);
  const line = (span: CollectedSpan) => {
    const { 'touchline.event_type': type, 'http.response.status_code': status } = span.attributes;
    const facts = [type, status, span.isError ? 'failed' : undefined].filter((fact) => fact !== undefined);
    const times = `${ms(span.start - origin)} + ${ms(span.end - span.start)} ms`;
    return `${span.name}  [${span.resource['service.name']}] ${[...facts, times].join(', ')}`;
  };
  const below = (parents: readonly CollectedSpan[], indent: string): string[] =>
    parents.flatMap((span) => [
      `${indent}${line(span)}`,
      ...below(spans.filter(({ parentId }) => parentId === span.spanId).sort(byStart), `${indent}  `),
    ]);
  return below(spans.filter(({ parentId }) => !known.has(parentId)).sort(byStart), '').join('\n');
}

/** Starts the collector. `GET /goal` on it returns the tree for the newest goal. */
export async function startCollector(host = '127.0.0.1'): Promise<Collector> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const trace = collector.traceWith('match.goal');
      response.end(trace.length === 0 ? 'no goal has been scored yet\n' : `${traceTree(trace)}\n`);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      collector.requests.push(request.headers);
      const { status } = collector;
      if (status === 200 && request.url === '/v1/traces') collector.spans.push(...readSpans(Buffer.concat(chunks)));
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const collector: Collector = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    status: 200,
    spans: [],
    requests: [],
    traceWith(eventType) {
      const newest = collector.spans.findLast(({ attributes }) => attributes['touchline.event_type'] === eventType);
      return collector.spans.filter(({ traceId }) => traceId === newest?.traceId);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return collector;
}
