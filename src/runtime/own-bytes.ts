/** Copies bytes that are kept. Node cuts small buffers out of slabs with 8 KB, and a kept piece keeps the whole slab. */

/**
 * Copies into newly allocated memory. Short-lived bytes need no copy, because cutting them out of a slab is faster.
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
