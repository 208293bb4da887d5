import type { OperatorAccount } from '@atrium/client';
import { Badge } from '@mantine/core';
import { memo } from 'react';
import { RowLink } from '../../ui/lists/row-link.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Time } from '../../ui/times/time.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';

export const ROW_HEIGHT_PX = 84;

export const AccountRow = memo(function AccountRow({ account }: { account: OperatorAccount }) {
  const { accounts } = useAllText().operator;
  const { id, username, email, plan, suspendedAt, createdAt } = account;
  return (
    <>
      <div className={rows.about}>
        <RowLink to="/operator/accounts/$id" params={{ id }}>
          {username}
        </RowLink>
        <div className={rows.line} title={email}>
          {email}
        </div>
        <div className={rows.details}>
          {accounts.created} <Time value={createdAt} />
        </div>
      </div>
      {plan !== 'free' && <Badge variant="default">{accounts.names[plan]}</Badge>}
      {suspendedAt !== null && (
        <Badge variant="dot" color="red">
          {accounts.suspended}
        </Badge>
      )}
    </>
  );
});
