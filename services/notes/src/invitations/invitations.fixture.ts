import { invitationContext } from '@atrium/contracts/account-messages';
import { newId } from '@atrium/contracts/ids';
import type { CollaboratorRole } from '@atrium/contracts/notes/members';
import { emailAddressOf, type TokenOptions } from '@atrium/testkit/tokens';
import type { Caller, TestApp } from '../test-app.ts';

export interface User {
  id: string;
  email: string;
  call: Caller;
}

export function newUser(app: TestApp, claims: TokenOptions = {}): User {
  const id = newId('usr');
  return { id, email: emailAddressOf(id), call: app.as({ ...claims, sub: id }) };
}

/** The token of the link in the latest email to an address. */
export async function emailedToken(app: TestApp, email: string): Promise<string> {
  const [row] = await app.database.query<{ token: string }>(
    `SELECT data ->> 'token' AS token FROM outbox
     WHERE event = 'workspace.invited' AND data ->> 'email' = $1 ORDER BY seq DESC LIMIT 1`,
    [email.toLowerCase()],
  );
  return app.messageKeys.decrypt(String(row?.token), invitationContext(email.toLowerCase()));
}

/** Makes the user a member of the owner's workspace, by an invitation. */
export async function join(
  app: TestApp,
  { owner, workspaceId, user }: { owner: User; workspaceId: string; user: User },
  role: CollaboratorRole = 'editor',
): Promise<void> {
  const { email } = user;
  await owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role });
  await user.call('POST', `/api/invitations/${await emailedToken(app, email)}/accept`);
}
