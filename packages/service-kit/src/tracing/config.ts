import { IdSchema } from '@atrium/contracts/ids';
import Type, { type Static, type TObject } from 'typebox';
import { Networks } from '../address-guard.ts';

/**
 * What every process reads about its traces: see `openTracing`. The exporter reads other `OTEL_EXPORTER_OTLP_*`, but
 * none from files.
 */
export const tracingConfig = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/]+(/[^\\s]*[^\\s/])?$',
      description: 'an http:// or https:// URL without a trailing slash',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.Array(Type.String({ pattern: '^[^=%\\s]+=([^%]|%[0-7][0-9A-Fa-f])+$' }), {
      description: 'headers separated by commas, such as authorization=Bearer%20token',
    }),
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.1,
    description: 'a share of the requests from 0 to 1',
  }),
  TRACE_ACCOUNTS: Type.Array(IdSchema('usr'), {
    default: [],
    description: 'ids of accounts separated by commas',
  }),
  TRACE_TRUSTED_NETWORKS: Networks,
};
export type TracingConfig = Static<TObject<typeof tracingConfig>>;
