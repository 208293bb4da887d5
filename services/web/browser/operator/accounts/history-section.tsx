import type { OperatorAction } from '@atrium/client';
import { Group, Skeleton, Text } from '@mantine/core';
import { queryKeys } from '../../session/query-keys.ts';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Section } from '../../ui/page/section.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { operator } from '../operator.ts';
import classes from '../operator.module.css';

/** What operators did to the account, newest first. */
export function HistorySection({ accountId }: { accountId: string }) {
  const { accounts } = useAllText().operator;
  const list = useList(queryKeys.operator.actions(accountId), (query, options) =>
    operator.listOperatorActions(accountId, query, options),
  );
  return (
    <Section title={accounts.history}>
      <Loaded query={list} skeleton={<Skeleton h={64} />}>
        {(actions) =>
          actions.length === 0 ? (
            <Text size="sm">{accounts.noHistory}</Text>
          ) : (
            <>
              <ul className={rows.list}>
                {actions.map((action) => (
                  <ActionRow key={action.id} action={action} />
                ))}
              </ul>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function ActionRow({ action }: { action: OperatorAction }) {
  const { accounts } = useAllText().operator;
  const { kind, operator: username, plan, reason, createdAt } = action;
  return (
    <li className={rows.item}>
      <Group justify="space-between" gap="xs">
        <Text fw={500}>
          {plan === null ? accounts.kinds[kind] : accounts.planChanged(accounts.names[plan])}
        </Text>
        <Text size="sm" c="dimmed">
          {username === null ? accounts.byErased : accounts.by(username)}
          {' · '}
          <Time value={createdAt} />
        </Text>
      </Group>
      <Text size="sm" className={classes.reason}>
        {reason}
      </Text>
    </li>
  );
}
