import type { Session } from '@atrium/client';
import { Badge, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { AccountPage } from '../account-page.tsx';
import rows from '../../ui/lists/rows.module.css';

/** Where the person is logged in; each session can be ended, and all others at once. */
export function SessionsPage() {
  const { sessions } = useAllText().account;
  const toast = useToast();
  const queryClient = useQueryClient();
  const [ending, setEnding] = useState<Session | 'others' | null>(null);
  const list = useList(queryKeys.account.sessions, (query, options) =>
    atrium.auth.listSessions(query, options),
  );
  const others = list.data?.filter(({ current }) => !current) ?? [];
  const finish = (message: string) => {
    toast(message);
    return queryClient.invalidateQueries({ queryKey: queryKeys.account.sessions });
  };
  const close = () => setEnding(null);
  return (
    <AccountPage
      title={sessions.title}
      explanation={sessions.explanation}
      action={
        others.length > 0 && (
          <Button variant="default" onClick={() => setEnding('others')}>
            {sessions.logOutOthers}
          </Button>
        )
      }
    >
      <Loaded query={list} skeleton={<RowsSkeleton />}>
        {(data) => (
          <>
            <ul className={rows.list}>
              {data.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  onLogOut={() => setEnding(session)}
                />
              ))}
            </ul>
            {others.length === 0 && !list.hasMore ? (
              <Text size="sm">{sessions.onlyThis}</Text>
            ) : (
              <ListEnd list={list} />
            )}
          </>
        )}
      </Loaded>
      {ending === 'others' && (
        <ConfirmDialog
          title={sessions.others.title}
          explanation={sessions.others.explanation}
          submit={sessions.logOutOthers}
          onClose={close}
          onConfirm={async () => {
            await atrium.auth.revokeOtherSessions();
            await finish(sessions.others.done);
          }}
        />
      )}
      {ending !== null && ending !== 'others' && (
        <ConfirmDialog
          title={sessions.one.title(deviceOf(ending, sessions.device))}
          explanation={sessions.one.explanation}
          submit={sessions.logOut}
          onClose={close}
          onConfirm={async () => {
            await atrium.auth.revokeSession(ending.id);
            await finish(sessions.one.done(deviceOf(ending, sessions.device)));
          }}
        />
      )}
    </AccountPage>
  );
}

function SessionRow({ session, onLogOut }: { session: Session; onLogOut: () => void }) {
  const { sessions } = useAllText().account;
  const device = deviceOf(session, sessions.device);
  return (
    <li className={rows.item}>
      <Group justify="space-between" gap="xs">
        <div>
          <Group gap="xs">
            <Text fw={500}>{device}</Text>
            {session.current && <Badge variant="default">{sessions.current}</Badge>}
          </Group>
          <Text size="sm" c="dimmed">
            {sessions.network} {session.network}
            {' · '}
            {sessions.lastSeen} <Time value={session.lastSeenAt} />
            {' · '}
            {sessions.loggedIn} <Time value={session.createdAt} />
          </Text>
        </div>
        {!session.current && (
          <Button
            variant="default"
            size="xs"
            aria-label={sessions.logOutOf(device)}
            onClick={onLogOut}
          >
            {sessions.logOut}
          </Button>
        )}
      </Group>
    </li>
  );
}

function deviceOf({ device }: Session, name: (browser: string, os: string) => string): string {
  return name(device.browser, device.os);
}
