import type { DestinationKind } from '@atrium/contracts/webhooks/destinations';

/** The scheme of an encrypted connection; without its `s` it is that of one which is not. */
export const SECURE_SCHEMES: Readonly<Record<DestinationKind, string>> = {
  http: 'https',
  sqs: 'https',
  s3: 'https',
  amqp: 'amqps',
  redis: 'rediss',
};

export function isSchemeAllowed(url: URL, secureScheme: string, allowHttp: boolean): boolean {
  const scheme = url.protocol.slice(0, -1);
  return scheme === secureScheme || (allowHttp && `${scheme}s` === secureScheme);
}
