import { useLocation } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { MessagePage } from '../../ui/page/message-page.tsx';
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
  const erasesAt = useLocation({ select: ({ state }) => state.erasesAt });
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  return (
    <MessagePage
      title={deletedAccount.title}
      actions={
        // Loaded anew, the page sees that the session has ended, also when the logout was not answered.
        <ButtonLink to="/login" reloadDocument>
          {deletedAccount.logIn}
        </ButtonLink>
      }
    >
      {erasesAt === undefined
        ? deletedAccount.noDate
        : deletedAccount.explanation(format.format(new Date(erasesAt)))}
    </MessagePage>
  );
}
