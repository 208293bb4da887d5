/** Where the deliveries of a subscription go and how they are signed, as it was when it was read. */
export interface Endpoint {
  url: string;
  sealedSecret: string;
  /** Custom headers, encrypted; null when the owner has set none. */
  sealedHeaders: string | null;
  /** The secret before the last rotation, while receivers may still use it. */
  previousSealedSecret: string | null;
  /** Unix milliseconds: until then Service-Signature is still made with the previous secret. */
  serviceSignatureSwitchMs: number | null;
  rateLimitPerSecond: number | null;
  /** The first failure since the last success, in Unix milliseconds; null while it answers well. */
  failingSinceMs: number | null;
}

/** The `Endpoint` of a row of `subscriptions`, in SQL. */
export const ENDPOINT = `
  json_build_object(
    'url', url,
    'sealedSecret', sealed_secret,
    'sealedHeaders', sealed_headers,
    'previousSealedSecret', CASE WHEN previous_secret_until > now() THEN previous_sealed_secret END,
    'serviceSignatureSwitchMs', extract(epoch FROM service_signature_switch_at) * 1000,
    'rateLimitPerSecond', rate_limit_per_second,
    'failingSinceMs', extract(epoch FROM failing_since) * 1000
  )`;
