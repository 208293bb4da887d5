import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { queryKeys } from '../../session/query-keys.ts';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { VirtualList } from '../../ui/lists/virtual-list.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { OperatorPage } from '../operator-page.tsx';
import { operator } from '../operator.ts';
import classes from '../operator.module.css';
import { AccountRow, ROW_HEIGHT_PX } from './account-row.tsx';

const TYPING_MS = 200;
const PAGE_SIZE = 100;

/** Finds accounts, newest first. The URL has what is searched. */
export function AccountsPage() {
  const { accounts } = useAllText().operator;
  const navigate = useNavigate();
  const typed = useLocation({ select: ({ search }) => queryOf(search) });
  const [query] = useDebouncedValue(typed, TYPING_MS);
  const list = useList(queryKeys.operator.accountList(query), (page, options) =>
    operator.listOperatorAccounts({ ...page, query, limit: PAGE_SIZE }, options),
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
      <Loaded query={list} skeleton={<RowsSkeleton rows={6} height={ROW_HEIGHT_PX} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={accounts.none(query)} />
          ) : (
            <>
              <VirtualList items={data} rowHeightPx={ROW_HEIGHT_PX}>
                {(account) => <AccountRow account={account} />}
              </VirtualList>
              <ListEnd list={list} />
            </>
          )
        }
      </Loaded>
    </OperatorPage>
  );
}

/** A username of digits alone is a number in the URL. */
function queryOf(search: object): string {
  const { query } = search as Record<string, unknown>;
  return typeof query === 'string' || typeof query === 'number' ? String(query) : '';
}
