import { createWorkspaces } from '@atrium/client/workspaces';
import { useAuth } from '@atrium/client/react';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { LatePage } from '../../ui/late/late-page.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { MessagePage } from '../../ui/page/message-page.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { atrium } from '../../session/atrium.ts';
import { SessionLate } from '../../session/session-late.tsx';
import { useEmailLinkTexts } from '../../texts/lazy-texts.ts';
import { useText } from '../../texts/texts.tsx';
import { emailToken, INVITATION_PATH } from '../email-token.ts';
import { ExpiredLink, isExpiredLink, TokenPage } from './token-page.tsx';
import { useInvitation } from './use-invitation.ts';

const { acceptInvitation } = createWorkspaces(atrium);

/** Where the invitation to a workspace leads. It is accepted by the account that has its email address. */
export function InvitationPage() {
  const { invitation: texts } = useEmailLinkTexts();
  const { user, isInitializing } = useAuth();
  const [token] = useState(() => emailToken());
  const received = useInvitation(token);
  const [workspaceId, setWorkspaceId] = useState('');
  if (token === null || isExpiredLink(received.error)) {
    return <ExpiredLink isMissing={token === null} why={texts.next} />;
  }
  if (isInitializing) return <SessionLate />;
  return (
    <Loaded query={received} skeleton={<LatePage />}>
      {({ invitation: { workspaceName, role }, ownerName }) => {
        const title = texts.join(workspaceName);
        const explanation = `${texts.invites[role](ownerName)} ${texts.explanation}`;
        return user === null ? (
          <ToAccount title={title} explanation={explanation} />
        ) : (
          <TokenPage
            texts={{ ...texts, title, explanation, doneTitle: texts.joined(workspaceName) }}
            act={async () => setWorkspaceId((await acceptInvitation(token)).id)}
            doneAction={
              <ButtonLink to={`/workspaces/${workspaceId}`}>{texts.toWorkspace}</ButtonLink>
            }
            expiredAction={<ButtonLink to="/notes">{texts.toNotes}</ButtonLink>}
          />
        );
      }}
    </Loaded>
  );
}

/** The token stays in memory meanwhile, and the email that verifies a new account leads back here. */
function ToAccount({ title, explanation }: { title: string; explanation: string }) {
  const { invitation } = useEmailLinkTexts();
  const { login } = useText();
  const search = { return_to: INVITATION_PATH };
  return (
    <MessagePage
      title={title}
      actions={
        <Group>
          <ButtonLink to="/login" search={search}>
            {login.submit}
          </ButtonLink>
          <ButtonLink to="/signup" search={search} variant="default">
            {login.createAccount}
          </ButtonLink>
        </Group>
      }
    >
      <PageTitle>{title}</PageTitle>
      <p>{explanation}</p>
      <p>{invitation.logIn}</p>
    </MessagePage>
  );
}
