/**
 * Copies bytes that are kept for a long time. Node cuts small buffers out of slabs of 8 KB, and one such buffer keeps
 * the whole slab in memory.
 */

/**
 * Copies bytes into memory of their own. Bytes that are soon dropped need no copy, because cutting them out of a slab
 * is faster.
 * @returns the copy
 */
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
