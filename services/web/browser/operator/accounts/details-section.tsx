import type { OperatorAccount } from '@atrium/client';
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../../frame/copy-button.tsx';
import { Section } from '../../frame/section.tsx';
import { Time } from '../../frame/time.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import classes from '../operator.module.css';

/** What is known of the account; nothing of what its owner keeps in the products. */
export function DetailsSection({ account }: { account: OperatorAccount }) {
  const { accounts } = useAllText().operator;
  const { email, emailVerified, erasesAt, id, secondFactor } = account;
  return (
    <Section title={accounts.details}>
      <dl className={classes.details}>
        <Detail label={accounts.email}>
          {email} ({emailVerified ? accounts.verified : accounts.notVerified})
        </Detail>
        <Detail label={accounts.secondFactor}>{secondFactor ? accounts.on : accounts.off}</Detail>
        <Detail label={accounts.created}>
          <Time value={account.createdAt} />
        </Detail>
        {erasesAt !== null && (
          <Detail label={accounts.erases}>
            <Time value={erasesAt} />
          </Detail>
        )}
        <Detail label={accounts.id}>
          <Group gap="xs">
            {id}
            <CopyButton value={id} label={accounts.copyId} />
          </Group>
        </Detail>
      </dl>
    </Section>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
