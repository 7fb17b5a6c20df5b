/** Parses arguments of the commands. */
import { InvalidArgumentError } from 'commander';

/** @throws {InvalidArgumentError} */
export function integer(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('must be a whole number');
  return value;
}

/** Parses values with commas between them. */
export const list = (text: string): string[] => text.split(',').map((part) => part.trim());

/** @throws {InvalidArgumentError} */
export const integers = (text: string): number[] => list(text).map(integer);

/** Collects the values of an option that can be repeated. */
export const append = (text: string, former: readonly string[] = []): string[] => [...former, text];
