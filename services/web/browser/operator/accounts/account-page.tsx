import { AtriumError, type OperatorAccount } from '@atrium/client';
import { Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { ButtonLink, TextLink } from '../../ui/controls/links.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { MessagePage } from '../../ui/page/message-page.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { operator } from '../operator.ts';
import classes from '../operator.module.css';
import { ActionSections } from './action-sections.tsx';
import { DetailsSection } from './details-section.tsx';
import { HistorySection } from './history-section.tsx';

/** One account, and what an operator can do to it. */
export function AccountPage({ id }: { id: string }) {
  const { accounts } = useAllText().operator;
  const query = useQuery({
    queryKey: queryKeys.operator.account(id),
    queryFn: ({ signal }) => operator.getOperatorAccount(id, { signal }),
  });
  if (query.error instanceof AtriumError && query.error.status === 404) {
    return (
      <MessagePage
        title={accounts.missingTitle}
        actions={<ButtonLink to="/operator/accounts">{accounts.back}</ButtonLink>}
      >
        {accounts.missing}
      </MessagePage>
    );
  }
  return (
    <Loaded query={query} skeleton={<AccountSkeleton />}>
      {(account) => (
        <Stack gap="lg">
          <Heading account={account} />
          <DetailsSection account={account} />
          <ActionSections account={account} />
          <HistorySection accountId={account.id} />
        </Stack>
      )}
    </Loaded>
  );
}

function Heading({ account: { name, username, suspendedAt } }: { account: OperatorAccount }) {
  const { accounts } = useAllText().operator;
  return (
    <Stack gap={4}>
      <TextLink to="/operator/accounts" size="sm">
        {accounts.title}
      </TextLink>
      <Group gap="sm">
        <Title order={1} className={classes.heading}>
          {username}
        </Title>
        {suspendedAt !== null && (
          <Badge variant="dot" color="red">
            {accounts.suspended}
          </Badge>
        )}
      </Group>
      <Text c="dimmed">{name}</Text>
    </Stack>
  );
}

function AccountSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton h={56} />
      <Skeleton h={240} />
      <Skeleton h={96} />
    </Stack>
  );
}
