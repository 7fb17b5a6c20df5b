/**
 * A plan as a command-line argument: the configuration is read before the stores are opened, so that a wrong name is a
 * usage error.
 */
import { InvalidArgumentError } from 'commander';
import { readVariables } from '../../config/variable.ts';
import { planVariables } from '../config.ts';

/** @throws {InvalidArgumentError} naming the plans; {ConfigError} */
export function planArgument(name: string): string {
  const { plans } = readVariables(process.env, planVariables, () => []);
  const names = plans.list.map((plan) => plan.name);
  if (names.includes(name)) return name;
  throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
}
