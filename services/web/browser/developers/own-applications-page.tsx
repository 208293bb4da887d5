import type { Application } from '@atrium/client';
import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useSecondFactors } from '../account/proof/second-factors.ts';
import { applications } from '../session/applications.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useUser } from '../session/user.ts';
import { VerifiedButton } from '../session/verified-button.tsx';
import { VerifyEmailNotice } from '../session/verify-email-notice.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { EmptyList } from '../ui/lists/empty-list.tsx';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { RowsSkeleton } from '../ui/lists/rows-skeleton.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { CreateApplicationDialog } from './create-application-dialog.tsx';
import { DevelopersTabs } from './developers-tabs.tsx';

/** The applications of the account. The URL says whether a new one is being made. */
export function OwnApplicationsPage() {
  const { own } = useAllText().applications;
  const navigate = useNavigate();
  const { emailVerified } = useUser();
  const isNew = useLocation({ select: ({ search }) => 'new' in search });
  const factors = useSecondFactors();
  const query = useQuery({
    queryKey: queryKeys.applications.list,
    queryFn: ({ signal }) => applications.listApplications({ signal }),
  });
  // Going back leads past a form that was closed.
  const open = (isOpen: boolean) => {
    const search = isOpen ? { new: true } : {};
    void navigate({
      to: '.',
      search: () => search,
      replace: !isOpen,
      resetScroll: false,
      // The form asks for itself before it closes.
      ignoreBlocker: !isOpen,
    });
  };
  const create = <VerifiedButton onClick={() => open(true)}>{own.new}</VerifiedButton>;
  return (
    <Stack gap="lg" maw={760}>
      <DevelopersTabs />
      <Stack gap={4}>
        <Group justify="space-between">
          <Title order={1}>{own.title}</Title>
          {query.data?.data.length !== 0 && create}
        </Group>
        <Text c="dimmed">{own.explanation}</Text>
      </Stack>
      <VerifyEmailNotice />
      <Loaded query={query} skeleton={<RowsSkeleton />}>
        {({ data, limit }) =>
          data.length === 0 ? (
            <EmptyList text={own.none}>{create}</EmptyList>
          ) : (
            <>
              <ul className={rows.list}>
                {data.map((application) => (
                  <Row key={application.id} application={application} />
                ))}
              </ul>
              <Text size="sm" c="dimmed">
                {own.count(data.length, limit)}
              </Text>
            </>
          )
        }
      </Loaded>
      {isNew && emailVerified && (
        <Loaded query={factors} skeleton={null}>
          {(data) => <CreateApplicationDialog factors={data} onClose={() => open(false)} />}
        </Loaded>
      )}
    </Stack>
  );
}

function Row({ application }: { application: Application }) {
  const { own } = useAllText().applications;
  const { id, name, kind, people } = application;
  return (
    <li className={rows.item}>
      <RowLink to="/developers/applications/$id" params={{ id }}>
        {name}
      </RowLink>
      <div className={rows.details}>
        {own.kinds[kind]}
        {kind !== 'machine' && ` · ${own.people(people)}`}
      </div>
    </li>
  );
}
