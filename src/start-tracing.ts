/** Starts tracing in a process if a collector is configured. */
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { tracingVariables } from './config/tracing.ts';
import { httpUrl } from './config/variable.ts';

type TracingConfig = Pick<Config, keyof typeof tracingVariables>;

/** True if a trace collector is configured. */
export const wantsTracing = ({ otlpEndpoint, otlpTracesEndpoint, otelSdkDisabled }: TracingConfig): boolean =>
  (otlpEndpoint ?? otlpTracesEndpoint) !== undefined && otelSdkDisabled?.toLowerCase() !== 'true';

/**
 * Starts tracing. If that fails, the error is logged and tracing stays off, since traces must never keep the service
 * from working.
 * @returns a function that sends the last spans and ends tracing
 */
export async function startTracing(config: TracingConfig, logger: Logger, role: string): Promise<() => Promise<void>> {
  const off = async () => {};
  if (!wantsTracing(config)) return off;
  const address = config.otlpTracesEndpoint ?? config.otlpEndpoint;
  if (!httpUrl.safeParse(address).success) {
    logger.warn(`tracing is off: ${address} is not an http:// or https:// address`);
    return off;
  }
  // Puts values that came from files (NAME_FILE) into the environment, because the SDK reads them there.
  for (const [property, { name }] of Object.entries(tracingVariables)) {
    const text = config[property as keyof TracingConfig];
    if (text !== undefined) process.env[name] ??= text;
  }
  try {
    const { startTracingSdk } = await import('./runtime/tracing-sdk.ts');
    return startTracingSdk(logger, role);
  } catch (error) {
    logger.warn({ err: error }, 'tracing is off');
    return off;
  }
}
