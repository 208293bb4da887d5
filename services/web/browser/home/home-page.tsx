import { Skeleton, Stack, Title } from '@mantine/core';
import { Fragment } from 'react';
import { Loaded } from '../ui/page/loaded.tsx';
import { useClicksOverview } from '../links/use-clicks-overview.ts';
import { PageTitle } from '../ui/page/page-title.tsx';
import { useUser } from '../session/user.ts';
import { VerifyEmailNotice } from '../session/verify-email-notice.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { Clicks } from './clicks.tsx';
import { FailingWebhooks, useHomeWebhooks } from './failing-webhooks.tsx';
import { RecentNotes, useRecentNotes } from './recent-notes.tsx';

/** What to go on with, how the links do, and what needs attention; or how to begin. */
export function HomePage() {
  // The sections need all texts: asked for here, they do not hide the page while they are loaded later.
  const { home } = useAllText();
  const user = useUser();
  return (
    <Stack gap="lg">
      <PageTitle>{home.title}</PageTitle>
      <Title order={1}>{home.welcome(user.name)}</Title>
      <VerifyEmailNotice />
      <Sections />
    </Stack>
  );
}

/** A section is shown after those above it, so that none moves once it is there. */
function Sections() {
  const [notes, clicks, webhooks] = [useRecentNotes(), useClicksOverview(), useHomeWebhooks()];
  const sections = [
    { key: 'notes', query: notes, content: <RecentNotes query={notes} /> },
    { key: 'clicks', query: clicks, content: <Clicks query={clicks} /> },
    { key: 'webhooks', query: webhooks, content: <FailingWebhooks query={webhooks} /> },
  ];
  const loading = sections.find(({ query }) => query.isPending);
  const shown = loading === undefined ? sections : sections.slice(0, sections.indexOf(loading));
  return (
    <>
      {shown.map(({ key, content }) => (
        <Fragment key={key}>{content}</Fragment>
      ))}
      {loading !== undefined && (
        <Loaded<unknown>
          key={`${loading.key} loading`}
          query={loading.query}
          skeleton={<Skeleton h={240} />}
        >
          {() => null}
        </Loaded>
      )}
    </>
  );
}
