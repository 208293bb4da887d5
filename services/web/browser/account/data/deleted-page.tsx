import { useLocation } from '@tanstack/react-router';
import { ButtonLink } from '../../frame/links.tsx';
import { MessagePage } from '../../frame/message-page.tsx';
import { localeOf } from '../../frame/time-text.ts';
import { useTranslation } from '../../texts/texts.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** When the account that was just deleted is erased. */
    erasesAt?: string;
  }
}

/** After the deletion of an account: until when it can be restored, and how. */
export function DeletedPage() {
  const { text, language } = useTranslation();
  const { data } = text.account;
  const erasesAt = useLocation({ select: ({ state }) => state.erasesAt });
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' });
  return (
    <MessagePage
      title={data.deletedTitle}
      actions={<ButtonLink to="/login">{data.logIn}</ButtonLink>}
    >
      {erasesAt === undefined
        ? data.deletedNoDate
        : data.deleted(format.format(new Date(erasesAt)))}
    </MessagePage>
  );
}
