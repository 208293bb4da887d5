import type { OperatorAccount } from '@atrium/client';
import { Badge, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { EmptyList } from '../../frame/lists/empty-list.tsx';
import { TextLink } from '../../frame/controls/links.tsx';
import { ListEnd } from '../../frame/lists/list-end.tsx';
import { LIST_ROW, moveInList } from '../../frame/lists/list-keys.ts';
import { Loaded } from '../../frame/page/loaded.tsx';
import { RowsSkeleton } from '../../frame/lists/rows-skeleton.tsx';
import rows from '../../frame/lists/rows.module.css';
import { Time } from '../../frame/times/time.tsx';
import { useList } from '../../frame/lists/use-list.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { OperatorPage } from '../operator-page.tsx';
import { operator } from '../operator.ts';
import classes from '../operator.module.css';
import { LIST_KEY } from './queries.ts';

const TYPING_MS = 200;

/** Finds accounts, newest first. The address has what is searched. */
export function AccountsPage() {
  const { accounts } = useAllText().operator;
  const navigate = useNavigate();
  const typed = useLocation({ select: ({ search }) => queryOf(search) });
  const [query] = useDebouncedValue(typed, TYPING_MS);
  const list = useList([...LIST_KEY, query], (page, options) =>
    operator.listOperatorAccounts({ ...page, query }, options),
  );
  const search = (text: string) =>
    void navigate({
      to: '.',
      search: () => (text === '' ? {} : { query: text }),
      replace: true,
      resetScroll: false,
    });
  return (
    <OperatorPage title={accounts.title}>
      <TextInput
        className={classes.search}
        type="search"
        label={accounts.search}
        description={accounts.searchHint}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <Loaded query={list} skeleton={<RowsSkeleton rows={6} height={64} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={accounts.none(query)} />
          ) : (
            <>
              <ul className={rows.list}>
                {data.map((account) => (
                  <AccountRow key={account.id} account={account} />
                ))}
              </ul>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
    </OperatorPage>
  );
}

/** A username of digits alone is a number in the address. */
function queryOf(search: object): string {
  const { query } = search as Record<string, unknown>;
  return typeof query === 'string' || typeof query === 'number' ? String(query) : '';
}

function AccountRow({ account }: { account: OperatorAccount }) {
  const { accounts } = useAllText().operator;
  return (
    <li className={rows.item}>
      <Group gap="xs">
        <TextLink
          to="/operator/accounts/$id"
          params={{ id: account.id }}
          fw={600}
          c="var(--mantine-color-text)"
          {...LIST_ROW}
          onKeyDown={moveInList}
        >
          {account.username}
        </TextLink>
        {account.plan !== 'free' && <Badge variant="default">{accounts.names[account.plan]}</Badge>}
        {account.suspendedAt !== null && (
          <Badge variant="dot" color="red">
            {accounts.suspended}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {account.email}
        {' · '}
        {accounts.created} <Time value={account.createdAt} />
      </Text>
    </li>
  );
}
