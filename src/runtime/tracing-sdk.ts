/** The OpenTelemetry SDK, which exports spans. It is loaded only if a collector is configured. */
import { hostname } from 'node:os';
import { context, DiagLogLevel, diag, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  RandomIdGenerator,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { within } from './time-limit.ts';
import { setTracer, takeSpanId } from './tracing.ts';
import { VERSION } from './version.ts';

/** Time limit for sending the last spans when the process stops. */
const FLUSH_MS = 3_000;
/** ExportResultCode.SUCCESS in @opentelemetry/core. */
const SUCCESS = 0;

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Logs when exports begin to fail, and when they succeed again. */
class LoggedExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  #isFailing = false;

  constructor(exporter: SpanExporter, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#exporter = exporter;
    this.#logger = logger;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, ({ code, error }) => {
      if (code === SUCCESS && this.#isFailing) this.#logger.info('spans reach the trace collector again');
      if (code !== SUCCESS && !this.#isFailing)
        this.#logger.warn({ err: error }, 'spans do not reach the trace collector and are lost');
      this.#isFailing = code !== SUCCESS;
      done({ code: SUCCESS });
    });
  }

  shutdown = (): Promise<void> => this.#exporter.shutdown();
  forceFlush = async (): Promise<void> => this.#exporter.forceFlush?.();
}

const random = new RandomIdGenerator();

/**
 * Starts tracing in this process. The SDK reads the OTEL_… variables from the environment.
 * @param role process role, for the default OTEL_SERVICE_NAME
 * @returns a function that sends the last spans, for at most 3 s, and ends tracing
 */
export function startTracingSdk(logger: Pick<Logger, 'info' | 'warn'>, role: string): () => Promise<void> {
  const warn = (message: string) => logger.warn(`tracing: ${message}`);
  const ignore = () => {};
  // Set only while the variables are read, because failed exports are logged by LoggedExporter.
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const own = resourceFromAttributes({
    'service.name': role === 'all' ? 'touchline' : `touchline-${role}`,
    'service.version': VERSION,
    'service.instance.id': hostname(),
  });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    idGenerator: {
      generateTraceId: () => random.generateTraceId(),
      generateSpanId: () => takeSpanId() ?? random.generateSpanId(),
    },
    spanProcessors: [new BatchSpanProcessor(new LoggedExporter(new OTLPTraceExporter(), logger))],
  });
  // No propagator is needed, because our own code passes on `traceparent` (tracing.ts).
  provider.register({ propagator: null });
  diag.disable();
  setTracer(provider.getTracer('touchline', VERSION));
  return async () => {
    setTracer(null);
    await within(FLUSH_MS, provider.shutdown().catch(ignore), undefined);
    trace.disable();
    context.disable();
  };
}
