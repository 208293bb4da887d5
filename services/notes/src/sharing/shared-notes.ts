import type { ReadingConditions } from '@atrium/contracts/notes/sharing';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { RateLimiter, RateLimitRule } from '@atrium/service-kit/rate-limit';
import { networkOf, siteOf } from '@atrium/service-kit/rate-limit/address';
import { SHARE_PASSWORDS } from '../rate-limits.ts';
import { isAccessValid, issueAccess } from './reader-access.ts';
import type { ReadingStore, Share, SharedFile, SharedNoteRecord } from './reading-store.ts';

/**
 * Public notes as their readers get them. `access` is what opening the note has returned.
 *
 * @throws HttpError 404, which says how the share has ended; 401 where the note must be opened first
 */
export interface SharedNotes {
  /** @param isView whether reading without access counts */
  read(
    token: string,
    access: string | undefined,
    isView: boolean,
  ): Promise<{ share: Share; note: SharedNoteRecord }>;
  conditions(token: string, access: string | undefined): Promise<ReadingConditions>;
  /** @throws HttpError 401 for a wrong password, 429 for too many of them */
  open(
    token: string,
    password: string | undefined,
    ip: string,
  ): Promise<{ access: string; expiresAt: Date }>;
  attachment(token: string, access: string | undefined, id: string): Promise<SharedFile | null>;
}

const withdrawn = () => notFound('Shared note');

const needsPassword = () => new HttpError('share-locked');

export function createSharedNotes(deps: {
  store: ReadingStore;
  hasher: PasswordHasher;
  rateLimiter: RateLimiter;
  clockMs: () => number;
}): SharedNotes {
  const { store, hasher, rateLimiter, clockMs } = deps;

  async function find(token: string, access?: string): Promise<{ share: Share; isOpen: boolean }> {
    const share = await store.find(token);
    if (share === null) throw withdrawn();
    const { expiresAt, maxViews, views } = share;
    if (expiresAt !== null && expiresAt.getTime() <= clockMs())
      throw new HttpError('share-expired');
    const isOpen = isAccessValid(share.accessKey, access, clockMs());
    if (!isOpen && maxViews !== null && views >= maxViews) throw new HttpError('share-used-up');
    return { share, isOpen };
  }

  async function countView(share: Share): Promise<void> {
    if (!(await store.countView(share))) throw new HttpError('share-used-up');
  }

  /** Attempts are counted before the password is hashed, for each link of a note. */
  async function checkPassword(
    { noteId, sharedAt, passwordHash }: Share,
    password: string | undefined,
    ip: string,
  ): Promise<void> {
    if (passwordHash === null) return;
    if (password === undefined) throw needsPassword();
    const link = `${noteId}:${sharedAt.getTime()}`;
    const network = networkOf(ip) ?? ip;
    const counted: [RateLimitRule, string][] = [];
    async function count(rule: RateLimitRule, key: string): Promise<void> {
      await rateLimiter.consume(rule, key);
      counted.push([rule, key]);
    }
    await count(SHARE_PASSWORDS.byIp, `${link}:${network}`);
    await count(SHARE_PASSWORDS.byShare, link).catch((error: unknown) => {
      if (!(error instanceof HttpError) || error.status !== 429) throw error;
      return count(SHARE_PASSWORDS.bySite, `${link}:${siteOf(network)}`);
    });
    if (!(await hasher.verify(passwordHash, password))) throw new HttpError('password-wrong');
    for (const [rule, key] of counted) await rateLimiter.refund(rule, key);
  }

  return {
    async read(token, access, isView) {
      const { share, isOpen } = await find(token, access);
      if (!isOpen && share.passwordHash !== null) throw needsPassword();
      if (!isOpen && isView) await countView(share);
      const note = await store.note(share);
      if (note === null) throw withdrawn();
      return { share, note };
    },
    async conditions(token, access) {
      const { share, isOpen } = await find(token, access);
      const { maxViews, views, passwordHash } = share;
      return {
        needsPassword: !isOpen && passwordHash !== null,
        viewsLeft: isOpen || maxViews === null ? null : maxViews - views,
      };
    },
    async open(token, password, ip) {
      const { share } = await find(token);
      await checkPassword(share, password, ip);
      await countView(share);
      return issueAccess(share.accessKey, clockMs());
    },
    async attachment(token, access, id) {
      const { share, isOpen } = await find(token, access);
      const isFree = share.passwordHash === null && share.maxViews === null;
      if (!isOpen && !isFree) throw new HttpError('share-locked', 'Open the note first');
      return store.attachment(share, id);
    },
  };
}
