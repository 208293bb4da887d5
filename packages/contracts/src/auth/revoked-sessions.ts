import Type, { type Static } from 'typebox';
import { component } from '../component.ts';

/** Where auth publishes the sessions that it has revoked. */
export const REVOKED_SESSIONS_PATH = '/internal/revoked-sessions';
/** The most that one page holds. */
export const REVOKED_SESSIONS_PAGE_SIZE = 500;

export const RevokedSessionsPage = component(
  'RevokedSessionsPage',
  Type.Object({
    sessions: Type.Array(
      Type.Object({
        digest: Type.String({ description: 'SHA-256 of the session id in lowercase hexadecimal' }),
        expiresAtMs: Type.Integer({
          description:
            'Unix time in milliseconds until which it matters: the end of its last portal link',
        }),
      }),
      { maxItems: REVOKED_SESSIONS_PAGE_SIZE },
    ),
    nextCursor: Type.String({
      description: 'Where to go on: now when there is more, otherwise at the next poll',
    }),
    hasMore: Type.Boolean(),
  }),
  {
    sessions: [
      {
        digest: '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4',
        expiresAtMs: 1_769_852_700_000,
      },
    ],
    nextCursor: '4711',
    hasMore: false,
  },
);
export type RevokedSessionsPage = Static<typeof RevokedSessionsPage>;
