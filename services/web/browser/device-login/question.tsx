import type { DeviceLogin, OwnerProof } from '@atrium/client';
import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ReauthenticationDialog } from '../account/proof/reauthentication-dialog.tsx';
import { methodsOf, useSecondFactors } from '../account/proof/second-factors.ts';
import { errorText } from '../ui/error-text.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Time } from '../ui/times/time.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { useUser } from '../session/user.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './device-login.module.css';

/** Shows what asks to be logged in, and confirms it with the password or denies it. */
export function Question({
  login,
  onConfirm,
  onDeny,
}: {
  login: DeviceLogin;
  onConfirm: (proof: OwnerProof) => Promise<void>;
  onDeny: () => Promise<void>;
}) {
  const text = useAllText();
  const { deviceLogin, proof, applications } = text;
  const { application, deviceName } = login;
  const byOwner = applications.authorize.by(application.owner);
  const { email } = useUser();
  const factors = useSecondFactors();
  const deny = useMutation({ mutationFn: onDeny });
  const [isConfirming, setConfirming] = useState(false);
  return (
    <Stack>
      <Text className={classes.value}>{deviceLogin.explanation(email)}</Text>
      <Stack component="dl" gap="xs" m={0}>
        <Detail label={deviceLogin.code}>
          <span className={classes.code}>{login.userCode}</span>
        </Detail>
        <Detail label={deviceLogin.application}>
          {application.name}
          <Text size="sm" c="dimmed">
            {application.isFirstParty ? applications.authorize.ours : byOwner}
          </Text>
        </Detail>
        {deviceName !== null && <Detail label={deviceLogin.device}>{deviceName}</Detail>}
        <Detail label={deviceLogin.network}>{login.network}</Detail>
        <Detail label={deviceLogin.started}>
          <Time value={login.createdAt} />
        </Detail>
      </Stack>
      <div>
        <Text fw={600} mb={8} className={classes.value}>
          {applications.authorize.asks(application.name)}
        </Text>
        <List spacing={6} size="sm">
          {login.scopes.map((scope) => (
            <List.Item key={scope}>{applications.scopes[scope]}</List.Item>
          ))}
        </List>
      </div>
      <FormError message={deny.isError ? errorText(deny.error, text) : null} />
      <Group>
        <Button onClick={() => setConfirming(true)}>{deviceLogin.confirm}</Button>
        <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate()}>
          {deviceLogin.deny}
        </Button>
      </Group>
      {isConfirming && (
        <Loaded query={factors} skeleton={null}>
          {(data) => (
            <ReauthenticationDialog
              title={deviceLogin.title}
              explanation={proof.explanation}
              submit={deviceLogin.confirm}
              methods={methodsOf(data)}
              onProof={onConfirm}
              onClose={() => setConfirming(false)}
            />
          )}
        </Loaded>
      )}
    </Stack>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} className={classes.value}>
        {children}
      </Text>
    </div>
  );
}
