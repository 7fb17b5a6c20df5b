/** Bytes that are kept: Node cuts small buffers out of slabs of 8 KB, and a kept piece keeps the whole slab. */

/** What is written and forgotten needs no copy: cutting it out of a slab is faster. @returns the bytes in memory of their own */
export function ownBytes(data: string | Buffer): Buffer {
  if (typeof data !== 'string') return data.length === data.buffer.byteLength ? data : copyBytes(data);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(data));
  bytes.write(data);
  return bytes;
}

function copyBytes(data: Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(data.length);
  data.copy(bytes);
  return bytes;
}
