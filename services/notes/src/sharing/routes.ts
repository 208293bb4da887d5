import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { Share as ShareBody, ShareSettings } from '@atrium/contracts/notes/sharing';
import { type AccountGate, runInTurn } from '@atrium/service-kit/account-gate';
import { accountOf, requireVerifiedEmail } from '@atrium/service-kit/authentication';
import { HttpError, notFound, validationError } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { AccessChecks } from '../access/checks.ts';
import type { Share } from '../generated/client.ts';
import { entityTag, readIfMatch } from '../notes/entity-tag.ts';
import { IfMatch } from '../notes/precondition.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { ShareChange, ShareStore, ShareTarget } from './store.ts';

const tags = ['Sharing'];

export async function sharingRoutes(
  server: Server,
  options: {
    shares: ShareStore;
    access: AccessChecks;
    hasher: PasswordHasher;
    gate: AccountGate;
    clockMs: () => number;
    sharedUrl: (token: string) => string;
  },
): Promise<void> {
  const { shares, access, hasher, gate, clockMs, sharedUrl } = options;

  function represent(share: Share): ShareBody {
    const { expiresAt, maxViews, views, allowIndexing } = share;
    return {
      url: sharedUrl(share.token),
      sharedAt: share.sharedAt.toISOString(),
      hasPassword: share.passwordHash !== null,
      expiresAt: expiresAt && expiresAt.toISOString(),
      maxViews,
      views,
      allowIndexing,
    };
  }

  type NoteRequest = Parameters<typeof accountOf>[0] & { params: { id: string } };
  async function shareable(request: NoteRequest): Promise<ShareTarget> {
    const { id: noteId } = request.params;
    const accountId = accountOf(request).id;
    await access.toNote(noteId, accountId, 'shareNotes');
    return { noteId, accountId, origin: { requestId: request.id } };
  }

  /** Only what was sent. One account hashes one password at a time: readers wait in the same queue. */
  async function readSettings(request: NoteRequest & { body: ShareSettings }) {
    const { password, expiresAt, ...others } = request.body;
    const change: ShareChange = others;
    if (expiresAt !== undefined) change.expiresAt = readExpiry(expiresAt, clockMs());
    if (password !== undefined) {
      change.passwordHash =
        password === null ? null : await runInTurn(gate, request, () => hasher.hash(password));
    }
    return change;
  }

  server.post(
    '/api/notes/:id/share',
    {
      config: { rateLimit: RATE_LIMITS.writes, isBodyOptional: true },
      preHandler: requireVerifiedEmail,
      schema: {
        operationId: 'shareNote',
        summary: 'Make a note public and get its link',
        description:
          'A note that is public already keeps its link and gets the settings that are sent.',
        tags,
        params: IdParams,
        body: ShareSettings,
        response: { 200: ShareBody, ...errorResponses(401, 403, 404, 422, 'email-not-verified') },
      },
    },
    async (request, reply) => {
      const target = await shareable(request);
      const settings = await readSettings(request);
      const outcome = await shares.share(target, settings);
      if (outcome.kind === 'missing') throw notFound('Note');
      return reply.header('etag', entityTag(outcome.share.version)).send(represent(outcome.share));
    },
  );

  server.get(
    '/api/notes/:id/share',
    {
      schema: {
        operationId: 'getShare',
        summary: 'Get the link of a public note and its settings',
        description: 'The entity tag is that of the settings; a view does not change it.',
        tags,
        params: IdParams,
        response: { 200: ShareBody, ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(id, accountId, 'read');
      const share = await shares.find(id, accountId);
      if (share === null) throw notFound('Share');
      return reply.header('etag', entityTag(share.version)).send(represent(share));
    },
  );

  server.patch(
    '/api/notes/:id/share',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'updateShare',
        summary: 'Change the settings of the link of a public note',
        description: 'A new password, or none, ends the access of those who have opened the note.',
        tags,
        params: IdParams,
        headers: IfMatch,
        body: ShareSettings,
        response: { 200: ShareBody, ...errorResponses(401, 403, 404, 412, 422) },
      },
    },
    async (request, reply) => {
      const target = await shareable(request);
      const settings = await readSettings(request);
      const precondition = readIfMatch(request.headers['if-match']);
      const outcome = await shares.change(target, settings, precondition);
      if (outcome.kind !== 'changed') throw rejectionOf(outcome);
      return reply.header('etag', entityTag(outcome.share.version)).send(represent(outcome.share));
    },
  );

  server.delete(
    '/api/notes/:id/share',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'unshareNote',
        summary: 'Make a note private',
        tags,
        params: IdParams,
        headers: IfMatch,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      const target = await shareable(request);
      const precondition = readIfMatch(request.headers['if-match']);
      const outcome = await shares.unshare(target, precondition);
      if (outcome.kind !== 'private') throw rejectionOf(outcome);
      return reply.code(204).send(null);
    },
  );
}

function readExpiry(expiresAt: string | null, nowMs: number): Date | null {
  if (expiresAt === null) return null;
  const expiresMs = Date.parse(expiresAt);
  if (expiresMs > nowMs) return new Date(expiresMs);
  throw validationError('Expires at must be in the future');
}

function rejectionOf({ kind }: { kind: 'missing' | 'stale' }): Error {
  return kind === 'missing'
    ? notFound('Share')
    : new HttpError('precondition-failed', 'The settings have changed since you read them');
}
