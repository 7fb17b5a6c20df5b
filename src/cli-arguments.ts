/** Values on the command line. */
import { InvalidArgumentError } from 'commander';
import { timeParam } from './http/index.ts';

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('must be a number above 0');
  return value;
}

export function id(text: string): number {
  const value = Number(text);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('must be an id');
  return value;
}

export function time(text: string): string {
  const parsed = timeParam.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]!.message);
  return parsed.data;
}

export function port(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535) throw new InvalidArgumentError('must be a port: 0 to 65535');
  return value;
}
