/** Files that hold one JSON value. */
import type { z } from 'zod';
import { type FileError, type InputFile, reason, textDamage, wholeText } from './files.ts';

/** Reads the value of a file; a fault if it cannot be read to its end. */
export async function readJson(file: InputFile): Promise<{ value?: unknown; fault?: FileError }> {
  const fault = (detail: string) => ({
    fault: { kind: 'fault', position: file.path, detail, endsFile: true } satisfies FileError,
  });
  try {
    const text = await wholeText(file);
    const damage = textDamage(text);
    return damage === undefined ? { value: JSON.parse(text) } : fault(damage);
  } catch (error) {
    return fault(`cannot be read: ${reason(error)}`);
  }
}

/** The first thing that is wrong with a value, with its path. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `${issue!.path.join('.') || 'the file'}: ${issue!.message}`;
}
