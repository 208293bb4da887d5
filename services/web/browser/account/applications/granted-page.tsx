import type { Grant } from '@atrium/client';
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { applications } from '../../session/applications.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { ApplicationLogo } from '../../ui/controls/account-avatar.tsx';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { EmptyList } from '../../ui/lists/empty-list.tsx';
import { ListEnd } from '../../ui/lists/list-end.tsx';
import rows from '../../ui/lists/rows.module.css';
import { RowsSkeleton } from '../../ui/lists/rows-skeleton.tsx';
import { useList } from '../../ui/lists/use-list.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { ExactTime, Time } from '../../ui/times/time.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { AccountPage } from '../account-page.tsx';

/** What the person has allowed applications. */
export function GrantedPage() {
  const { granted } = useAllText().applications;
  const toast = useToast();
  const queryClient = useQueryClient();
  const refetch = () => queryClient.invalidateQueries({ queryKey: queryKeys.account.grants });
  const [revoking, setRevoking] = useState<Grant | null>(null);
  const [loggingOut, setLoggingOut] = useState<Device | null>(null);
  const list = useList(queryKeys.account.grants, (query, options) =>
    applications.listGrants(query, options),
  );
  const own = (
    <ButtonLink to="/developers/applications" variant="default">
      {granted.own}
    </ButtonLink>
  );
  return (
    <AccountPage title={granted.title} explanation={granted.explanation} action={own}>
      <Loaded query={list} skeleton={<RowsSkeleton />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyList text={granted.none} />
          ) : (
            <>
              <ul className={rows.list}>
                {data.map((grant) => (
                  <GrantRow
                    key={grant.id}
                    grant={grant}
                    onRevoke={() => setRevoking(grant)}
                    onLogOut={setLoggingOut}
                  />
                ))}
              </ul>
              {list.hasMore && <ListEnd list={list} />}
            </>
          )
        }
      </Loaded>
      {revoking !== null && (
        <ConfirmDialog
          title={granted.revokeTitle(revoking.application.name)}
          explanation={granted.revokeExplanation}
          submit={granted.revoke}
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await applications.revokeGrant(revoking.id);
            toast(granted.revoked(revoking.application.name));
            await refetch();
          }}
        />
      )}
      {loggingOut !== null && (
        <ConfirmDialog
          title={granted.revokeTitle(loggingOut.name)}
          explanation={granted.deviceExplanation}
          submit={granted.logOutDeviceShort}
          onClose={() => setLoggingOut(null)}
          onConfirm={async () => {
            await applications.logOutDevice(loggingOut.id);
            toast(granted.deviceLoggedOut(loggingOut.name));
            await refetch();
          }}
        />
      )}
    </AccountPage>
  );
}

type Device = Grant['devices'][number];

function GrantRow({
  grant,
  onRevoke,
  onLogOut,
}: {
  grant: Grant;
  onRevoke: () => void;
  onLogOut: (device: Device) => void;
}) {
  const { granted, authorize, scopes: scopeTexts } = useAllText().applications;
  const { application, scopes, createdAt, lastUsedAt } = grant;
  const { name, owner, isFirstParty } = application;
  return (
    <li className={rows.item}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <ApplicationLogo application={application} size={40} />
          <div>
            <Text fw={500}>{name}</Text>
            <Text size="sm" c="dimmed">
              {isFirstParty ? authorize.ours : authorize.by(owner)}
              {' · '}
              {granted.since} <Time value={createdAt} />
              {`, ${granted.lastUsed} `}
              <Time value={lastUsedAt} />
            </Text>
            <Text size="sm">{scopes.map((scope) => scopeTexts[scope]).join(' · ')}</Text>
          </div>
        </Group>
        <Button
          variant="default"
          size="xs"
          flex="none"
          aria-label={granted.revokeOf(name)}
          onClick={onRevoke}
        >
          {granted.revoke}
        </Button>
      </Group>
      {grant.devices.map((device) => (
        <Group key={device.id} justify="space-between" gap="xs" wrap="nowrap" mt="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {device.name}
            <Text span size="sm" c="dimmed">
              {` · ${granted.since} `}
              <ExactTime value={device.createdAt} />
            </Text>
          </Text>
          <Button
            variant="subtle"
            size="xs"
            flex="none"
            aria-label={granted.logOutDevice(device.name)}
            onClick={() => onLogOut(device)}
          >
            {granted.logOutDeviceShort}
          </Button>
        </Group>
      ))}
    </li>
  );
}
