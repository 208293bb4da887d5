import type { Role } from '@atrium/contracts/notes/members';

/** Who may do what in a workspace. Every route and every query asks this table. */
const ROLES_BY_PERMISSION = {
  read: ['owner', 'editor', 'viewer'],
  leave: ['editor', 'viewer'],
  writeNotes: ['owner', 'editor'],
  shareNotes: ['owner', 'editor'],
  emptyTrash: ['owner'],
  deleteFiles: ['owner'],
  manageWorkspace: ['owner'],
  manageMembers: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof ROLES_BY_PERMISSION;

export function isPermitted(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = ROLES_BY_PERMISSION[permission];
  return roles.includes(role);
}

/** A condition on a workspace for Prisma: the account is a member with the permission. */
export function permitted(accountId: string, permission: Permission) {
  return { members: { some: { accountId, role: { in: [...ROLES_BY_PERMISSION[permission]] } } } };
}

/**
 * The same condition in SQL, on a row of `workspaces`.
 *
 * @param account the parameter with the account, such as `$2`
 */
export function permittedSql(account: string, permission: Permission): string {
  const roles = ROLES_BY_PERMISSION[permission].map((role) => `'${role}'`).join(', ');
  return `EXISTS (SELECT FROM members WHERE members.workspace_id = workspaces.id
    AND members.account_id = ${account} AND members.role IN (${roles}))`;
}
