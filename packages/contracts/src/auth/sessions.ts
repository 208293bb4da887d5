import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

const named = (unknown: string) =>
  Type.String({ description: `"${unknown}" when it is not known` });

/** As the client's User-Agent header names it. */
export const UserAgent = Type.Object({
  browser: named('Unknown browser'),
  os: named('unknown system'),
});

/** One login of an account on one device. */
export const Session = component(
  'Session',
  Type.Object({
    id: IdSchema('ses'),
    device: UserAgent,
    network: Type.String({
      description: 'Network of the last use, not the whole IP address: 203.0.113.0/24',
    }),
    createdAt: Timestamp,
    /** The last login or refresh. */
    lastSeenAt: Timestamp,
    expiresAt: Timestamp,
    current: Type.Boolean({ description: 'Whether it is the session of this request' }),
  }),
  {
    id: exampleId('ses'),
    device: { browser: 'Firefox', os: 'Linux' },
    network: '203.0.113.0/24',
    createdAt: EXAMPLE_TIMESTAMP,
    lastSeenAt: '2026-02-01T08:00:00.000Z',
    expiresAt: '2026-02-07T09:30:00.000Z',
    current: true,
  },
);
export type Session = Static<typeof Session>;
