import { createWorkspaces } from '@atrium/client/workspaces';
import { useAuth } from '@atrium/client/react';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { ButtonLink } from '../frame/links.tsx';
import { MessagePage } from '../frame/message-page.tsx';
import { PageTitle } from '../frame/page-title.tsx';
import { atrium } from '../session/atrium.ts';
import { useEmailLinkTexts } from '../texts/lazy-texts.ts';
import { useText } from '../texts/texts.tsx';
import { TokenPage } from './token-page.tsx';

const { acceptInvitation } = createWorkspaces(atrium);

/** Where the invitation to a workspace leads. It is accepted by the account that has its address. */
export function InvitationPage() {
  const { invitation } = useEmailLinkTexts();
  const { user, isInitializing } = useAuth();
  const [workspace, setWorkspace] = useState({ id: '', name: '' });
  if (isInitializing) return null;
  if (user === null) return <ToAccount />;
  return (
    <TokenPage
      texts={{ ...invitation, doneTitle: invitation.joined(workspace.name) }}
      act={async (token) => setWorkspace(await acceptInvitation(token))}
      doneAction={
        <ButtonLink to={`/workspaces/${workspace.id}`}>{invitation.toWorkspace}</ButtonLink>
      }
      expiredAction={<ButtonLink to="/notes">{invitation.toNotes}</ButtonLink>}
    />
  );
}

/** The link stays in memory during a login; whoever has no account yet comes back to the email. */
function ToAccount() {
  const { invitation } = useEmailLinkTexts();
  const { login } = useText();
  return (
    <MessagePage
      title={invitation.title}
      actions={
        <Group>
          <ButtonLink to="/login" search={{ return_to: '/invitations' }}>
            {login.submit}
          </ButtonLink>
          <ButtonLink to="/signup" variant="default">
            {login.createAccount}
          </ButtonLink>
        </Group>
      }
    >
      <PageTitle>{invitation.title}</PageTitle>
      {invitation.logIn}
    </MessagePage>
  );
}
