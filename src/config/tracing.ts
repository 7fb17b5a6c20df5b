/** OpenTelemetry variables with standard names. The SDK reads all standard variables, including these, by itself. */
import { z } from 'zod';
import type { Variables } from './variable.ts';

const text = z.string().optional();

export const tracingVariables = {
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schema: text,
    unset: 'no [traces](tracing.md)',
    meaning: 'the address of a trace collector for OTLP over HTTP, such as `http://collector:4318`',
  },
  otlpTracesEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    schema: text,
    unset: '`OTEL_EXPORTER_OTLP_ENDPOINT` and `/v1/traces`',
    meaning: 'the address for traces, path included',
  },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    schema: text,
    meaning: 'request headers for the collector, `name=value`, separated by commas',
  },
  otelServiceName: {
    name: 'OTEL_SERVICE_NAME',
    schema: text,
    unset: '`touchline-<role>`; `touchline` for all roles in one process',
    meaning: 'the process name in traces',
  },
  otelResourceAttributes: {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    schema: text,
    meaning: 'attributes for all spans, `name=value`, separated by commas',
  },
  otelTracesSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    schema: text,
    unset: '`parentbased_always_on`',
    meaning: 'which traces are recorded; `parentbased_traceidratio` records a share',
  },
  otelTracesSamplerArg: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    schema: text,
    unset: '1',
    meaning: 'the share that `parentbased_traceidratio` records, from 0 to 1',
  },
  otelSdkDisabled: {
    name: 'OTEL_SDK_DISABLED',
    schema: text,
    unset: 'false',
    meaning: '`true` turns traces off',
  },
} satisfies Variables;
