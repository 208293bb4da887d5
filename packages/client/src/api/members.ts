import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  ChangeMemberBody,
  Invitation,
  InviteBody,
  ListQuery,
  Member,
  ReceivedInvitation,
  TransferWorkspaceBody,
  Workspace,
} from '../types.ts';
import type { CreateOptions } from './options.ts';

/** The members of a workspace and the invitations to it. Names and avatars: `atrium.auth.getUsers`. */
export interface MembersApi {
  /**
   * Lists the members of a workspace; those who joined first come first.
   * @example
   * for await (const { userId, role } of workspaces.listMembers('ws_…')) console.log(userId, role);
   */
  listMembers: (workspaceId: string, query?: ListQuery, options?: CallOptions) => List<Member>;
  /**
   * Changes the role of a collaborator.
   * @example
   * await workspaces.changeMember('ws_…', 'usr_…', { role: 'viewer' });
   */
  changeMember: (
    workspaceId: string,
    userId: string,
    body: ChangeMemberBody,
    options?: CallOptions,
  ) => Promise<Member>;
  /**
   * Removes a collaborator; with one's own id, leaves the workspace.
   * @example
   * await workspaces.removeMember('ws_…', 'usr_…');
   */
  removeMember: (workspaceId: string, userId: string, options?: CallOptions) => Promise<void>;
  /**
   * Makes another member the owner of the workspace.
   * @example
   * await workspaces.transferWorkspace('ws_…', { userId: 'usr_…' });
   */
  transferWorkspace: (
    workspaceId: string,
    body: TransferWorkspaceBody,
    options?: CallOptions,
  ) => Promise<Member>;
  /**
   * Invites someone to a workspace by email.
   * @example
   * await workspaces.createInvitation('ws_…', { email: 'grace@example.com', role: 'editor' });
   */
  createInvitation: (
    workspaceId: string,
    body: InviteBody,
    options?: CreateOptions,
  ) => Promise<Invitation>;
  /**
   * Lists the invitations that are not accepted, newest first.
   * @example
   * const { data } = await workspaces.listInvitations('ws_…');
   */
  listInvitations: (
    workspaceId: string,
    query?: ListQuery,
    options?: CallOptions,
  ) => List<Invitation>;
  /**
   * Sends an invitation again, with a new link.
   * @example
   * await workspaces.resendInvitation('ws_…', 'inv_…');
   */
  resendInvitation: (
    workspaceId: string,
    invitationId: string,
    options?: CallOptions,
  ) => Promise<Invitation>;
  /**
   * Revokes an invitation.
   * @example
   * await workspaces.revokeInvitation('ws_…', 'inv_…');
   */
  revokeInvitation: (
    workspaceId: string,
    invitationId: string,
    options?: CallOptions,
  ) => Promise<void>;
  /**
   * Reads an invitation by the token of its link; needs no session.
   * @example
   * const { workspaceName, role } = await workspaces.getInvitation(token);
   */
  getInvitation: (token: string, options?: CallOptions) => Promise<ReceivedInvitation>;
  /**
   * Accepts an invitation.
   * @example
   * const { id } = await workspaces.acceptInvitation(token);
   */
  acceptInvitation: (token: string, options?: CallOptions) => Promise<Workspace>;
}

export const MEMBERS_ROUTES: Routes<MembersApi> = {
  listMembers: 'GET /api/workspaces/{id}/members list',
  changeMember: 'PATCH /api/workspaces/{id}/members/{userId} body',
  removeMember: 'DELETE /api/workspaces/{id}/members/{userId}',
  transferWorkspace: 'POST /api/workspaces/{id}/transfer body',
  createInvitation: 'POST /api/workspaces/{id}/invitations body create',
  listInvitations: 'GET /api/workspaces/{id}/invitations list',
  resendInvitation: 'POST /api/workspaces/{id}/invitations/{invitationId}/resend',
  revokeInvitation: 'DELETE /api/workspaces/{id}/invitations/{invitationId}',
  getInvitation: 'GET /api/invitations/{token} public',
  acceptInvitation: 'POST /api/invitations/{token}/accept',
};
