import type { Passkey, SecondFactor } from '@atrium/client';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Time } from '../../../ui/times/time.tsx';
import { useToast } from '../../../ui/toasts/toasts.tsx';
import { useList } from '../../../ui/lists/use-list.ts';
import { atrium } from '../../../session/atrium.ts';
import { queryKeys } from '../../../session/query-keys.ts';
import { VerifiedButton } from '../../../session/verified-button.tsx';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import { Section } from '../../../ui/page/section.tsx';
import rows from '../../../ui/lists/rows.module.css';
import { ReauthenticationDialog } from '../../proof/reauthentication-dialog.tsx';
import { methodsOf } from '../../proof/second-factors.ts';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { canCreatePasskeys } from './create-passkey.ts';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';

/** An account has at most 20. */
const LIMIT = 100;

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

export function PasskeysSection({
  factors,
  onChange,
}: {
  factors: SecondFactor;
  /** A factor needs a verified email address. */
  onChange: (recoveryCodes?: string[] | null) => void;
}) {
  const { passkeys } = useAllText().account.security;
  const toast = useToast();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const list = useList(queryKeys.account.passkeys, (query, options) =>
    atrium.auth.listPasskeys({ ...query, limit: LIMIT }, options),
  );
  const close = () => setOpen(null);
  const finish = (message: string, recoveryCodes?: string[] | null) => {
    close();
    toast(message);
    void queryClient.invalidateQueries({ queryKey: queryKeys.account.passkeys });
    onChange(recoveryCodes);
  };
  return (
    <Section
      title={passkeys.title}
      hint={canCreatePasskeys ? passkeys.hint : passkeys.unsupported}
      action={
        canCreatePasskeys && (
          <VerifiedButton variant="default" onClick={() => setOpen({ kind: 'add' })}>
            {passkeys.add}
          </VerifiedButton>
        )
      }
    >
      <Loaded query={list} skeleton={<Skeleton h={56} />}>
        {(data) => <PasskeyList passkeys={data} onOpen={setOpen} />}
      </Loaded>
      {open?.kind === 'add' && (
        <AddPasskeyDialog
          factors={factors}
          onClose={close}
          onAdded={(name, recoveryCodes) => finish(passkeys.added(name), recoveryCodes)}
        />
      )}
      {open?.kind === 'rename' && (
        <RenamePasskeyDialog
          passkey={open.passkey}
          onClose={close}
          onRenamed={(name) => finish(passkeys.renamed(name))}
        />
      )}
      {open?.kind === 'remove' && (
        <ReauthenticationDialog
          title={passkeys.removeTitle(open.passkey.name)}
          explanation={passkeys.removeHint}
          submit={passkeys.remove}
          isDangerous
          methods={methodsOf(factors)}
          onClose={close}
          onProof={async (proof) => {
            await atrium.auth.removePasskey(open.passkey.id, proof);
            finish(passkeys.removed(open.passkey.name));
          }}
        />
      )}
    </Section>
  );
}

function PasskeyList({ passkeys, onOpen }: { passkeys: Passkey[]; onOpen: (open: Open) => void }) {
  const { passkeys: text } = useAllText().account.security;
  if (passkeys.length === 0) return <Text size="sm">{text.none}</Text>;
  return (
    <ul className={rows.list}>
      {passkeys.map((passkey) => (
        <li key={passkey.id} className={rows.item}>
          <Group justify="space-between" gap="xs">
            <div>
              <Text fw={500}>{passkey.name}</Text>
              <Text size="sm" c="dimmed">
                {text.created} <Time value={passkey.createdAt} />
                {' · '}
                {passkey.lastUsedAt === null ? (
                  text.neverUsed
                ) : (
                  <>
                    {text.lastUsed} <Time value={passkey.lastUsedAt} />
                  </>
                )}
              </Text>
            </div>
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                aria-label={text.renameOf(passkey.name)}
                onClick={() => onOpen({ kind: 'rename', passkey })}
              >
                {text.rename}
              </Button>
              <Button
                variant="subtle"
                color="red"
                size="xs"
                aria-label={text.removeOf(passkey.name)}
                onClick={() => onOpen({ kind: 'remove', passkey })}
              >
                {text.remove}
              </Button>
            </Group>
          </Group>
        </li>
      ))}
    </ul>
  );
}
