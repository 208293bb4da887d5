import type { PersonalToken } from '@atrium/client';
import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import rows from '../../ui/lists/rows.module.css';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { AccountPage } from '../account-page.tsx';
import { useSecondFactors } from '../proof/second-factors.ts';
import { CreateTokenDialog } from './create-token-dialog.tsx';

/** What programs of the person use the services with. */
export function TokensPage() {
  const { tokens } = useAllText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const factors = useSecondFactors();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<PersonalToken | null>(null);
  const list = useQuery({
    queryKey: queryKeys.account.tokens,
    queryFn: async ({ signal }) => (await atrium.auth.listPersonalTokens({ signal })).data,
  });
  const reload = () => queryClient.invalidateQueries({ queryKey: queryKeys.account.tokens });
  const create = <Button onClick={() => setCreating(true)}>{tokens.create}</Button>;
  const isEmpty = list.data?.length === 0;
  return (
    <AccountPage title={tokens.title} explanation={tokens.explanation} action={!isEmpty && create}>
      <Loaded query={list} skeleton={<RowsSkeleton />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={tokens.none}>{create}</EmptyList>
          ) : (
            <ul className={rows.list}>
              {data.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isCreating && (
        <Loaded query={factors} skeleton={null}>
          {(data) => (
            <CreateTokenDialog
              factors={data}
              onCreated={() => void reload()}
              onClose={() => setCreating(false)}
            />
          )}
        </Loaded>
      )}
      {revoking !== null && (
        <ConfirmDialog
          title={tokens.revokeTitle(revoking.name)}
          explanation={tokens.revokeExplanation}
          submit={tokens.revoke}
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await atrium.auth.revokePersonalToken(revoking.id);
            toast(tokens.revoked(revoking.name));
            await reload();
          }}
        />
      )}
    </AccountPage>
  );
}

function TokenRow({ token, onRevoke }: { token: PersonalToken; onRevoke: () => void }) {
  const { tokens } = useAllText();
  const { name, scopes, expiresAt, lastUsedAt } = token;
  return (
    <li className={rows.item}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <div>
          <Text fw={500}>{name}</Text>
          <Text size="sm" c="dimmed">
            {scopes.join(', ')}
            {' · '}
            {lastUsedAt === null ? (
              tokens.neverUsed
            ) : (
              <>
                {tokens.lastUsed} <Time value={lastUsedAt} />
              </>
            )}
            {' · '}
            {tokens.expires} <Time value={expiresAt} />
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          flex="none"
          aria-label={tokens.revokeOf(name)}
          onClick={onRevoke}
        >
          {tokens.revoke}
        </Button>
      </Group>
    </li>
  );
}
