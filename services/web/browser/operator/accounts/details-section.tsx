import type { OperatorAccount } from '@atrium/client';
import { Group } from '@mantine/core';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Fact, Facts } from '../../ui/page/facts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';

/** What is known of the account; nothing of what its owner keeps in the products. */
export function DetailsSection({ account }: { account: OperatorAccount }) {
  const { accounts } = useAllText().operator;
  const { email, emailVerified, erasesAt, id, secondFactor } = account;
  return (
    <Section title={accounts.details}>
      <Facts>
        <Fact label={accounts.email}>
          {email} ({emailVerified ? accounts.verified : accounts.notVerified})
        </Fact>
        <Fact label={accounts.secondFactor}>{secondFactor ? accounts.on : accounts.off}</Fact>
        <Fact label={accounts.created}>
          <Time value={account.createdAt} />
        </Fact>
        {erasesAt !== null && (
          <Fact label={accounts.erases}>
            <Time value={erasesAt} />
          </Fact>
        )}
        <Fact label={accounts.id}>
          <Group gap="xs">
            {id}
            <CopyButton value={id} label={accounts.copyId} />
          </Group>
        </Fact>
      </Facts>
    </Section>
  );
}
