import { useAuth } from '@atrium/client/react';
import { useLocation } from '@tanstack/react-router';
import { ButtonLink } from '../../frame/controls/links.tsx';
import { MessagePage } from '../../frame/page/message-page.tsx';
import { useTranslation } from '../../texts/texts.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** When the account that was just deleted is erased. */
    erasesAt?: string;
  }
}

/** After the deletion of an account: until when it can be restored, and how. */
export function DeletedPage() {
  const { text, locale } = useTranslation();
  const { deletedAccount } = text;
  const { user } = useAuth();
  const erasesAt = useLocation({ select: ({ state }) => state.erasesAt });
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  return (
    <MessagePage
      title={deletedAccount.title}
      // The login page sends away who is still logged in.
      actions={user === null && <ButtonLink to="/login">{deletedAccount.logIn}</ButtonLink>}
    >
      {erasesAt === undefined
        ? deletedAccount.noDate
        : deletedAccount.explanation(format.format(new Date(erasesAt)))}
    </MessagePage>
  );
}
