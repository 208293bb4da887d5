import type { Account } from 'oidc-provider';
import { avatarUrl } from '../../accounts/avatar/store.ts';
import type { Database } from '../../database.ts';

/** What an application may be told of a person, by the scope that allows it (OpenID Connect Core 5.4). */
export const CLAIMS = {
  openid: ['sub'],
  profile: ['name', 'preferred_username', 'picture', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  acr: null,
  auth_time: null,
  iss: null,
  sid: null,
};

/** Finds people as the provider needs them; those who are suspended or about to be erased do not exist. */
export function createAccountFinder(database: Database, authUrl: string) {
  return async (_ctx: unknown, id: string): Promise<Account | undefined> => {
    const account = await database.prisma.account.findUnique({
      where: { id, suspendedAt: null, deletionDueAt: null },
      select: {
        name: true,
        username: true,
        avatar: true,
        language: true,
        email: true,
        emailVerifiedAt: true,
        updatedAt: true,
      },
    });
    if (account === null) return undefined;
    const picture = avatarUrl(account.avatar, authUrl);
    return {
      accountId: id,
      // The provider passes on only what the scopes allow.
      claims: () => ({
        sub: id,
        name: account.name,
        preferred_username: account.username,
        ...(picture === null ? {} : { picture }),
        locale: account.language,
        updated_at: Math.floor(account.updatedAt.getTime() / 1000),
        email: account.email,
        email_verified: account.emailVerifiedAt !== null,
      }),
    };
  };
}
