/** Files that hold one JSON value. */
import type { z } from 'zod';
import { type FileError, type InputFile, reason, textDamage, wholeText } from './files.ts';

/** Reads the value of a file; a fault if it cannot be read to its end. */
async function readJson(file: InputFile): Promise<{ value?: unknown; fault?: FileError }> {
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

/** Reads a file with a reply of an API. @param what the reply is, for the fault of a file with another content */
export async function readReply<T>(
  file: InputFile,
  schema: z.ZodType<T>,
  what: string,
): Promise<{ value: T; fault?: undefined } | { fault: FileError }> {
  const json = await readJson(file);
  if (json.fault) return { fault: json.fault };
  const { success, data, error } = schema.safeParse(json.value);
  if (success) return { value: data };
  return {
    fault: { kind: 'fault', position: file.path, detail: `is not ${what}: ${firstIssue(error)}`, endsFile: true },
  };
}

/** Reads a file with a list of matches. A damaged text is a fault of its match alone, which the caller finds. */
export async function readMatchList(
  file: InputFile,
): Promise<{ value: unknown[]; fault?: undefined } | { fault: FileError }> {
  const fault = (detail: string) => ({
    fault: { kind: 'fault', position: file.path, detail, endsFile: true } satisfies FileError,
  });
  try {
    const value: unknown = JSON.parse(await wholeText(file));
    return Array.isArray(value) ? { value } : fault('is not a list of matches');
  } catch (error) {
    return fault(`cannot be read: ${reason(error)}`);
  }
}

/** The first thing that is wrong with a value, with its path. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `${issue!.path.join('.') || 'the file'}: ${issue!.message}`;
}
