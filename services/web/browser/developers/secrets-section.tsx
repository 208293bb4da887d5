import type { Application } from '@atrium/client';
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ReauthenticationDialog } from '../account/proof/reauthentication-dialog.tsx';
import { methodsOf, useSecondFactors } from '../account/proof/second-factors.ts';
import { applications } from '../session/applications.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import rows from '../ui/lists/rows.module.css';
import { Loaded } from '../ui/page/loaded.tsx';
import { Section } from '../ui/page/section.tsx';
import { ExactTime } from '../ui/times/time.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const SECRETS_MAX = 2;

/** The secrets with which an application proves that it is the one. */
export function SecretsSection({ application: { id, secrets } }: { application: Application }) {
  const { applications: texts, proof } = useAllText();
  const { own } = texts;
  const toast = useToast();
  const queryClient = useQueryClient();
  const factors = useSecondFactors();
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  const [removing, setRemoving] = useState<Application['secrets'][number] | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: queryKeys.applications.one(id) });
  return (
    <Section
      title={own.secrets}
      hint={own.secretsHint}
      action={
        secrets.length < SECRETS_MAX && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {own.newSecret}
          </Button>
        )
      }
    >
      {secrets.length > 0 && (
        <ul className={rows.list}>
          {secrets.map((secret) => (
            <li key={secret.id} className={rows.item}>
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm">
                  {own.secretEnding(secret.ending)} · {own.created}{' '}
                  <ExactTime value={secret.createdAt} />
                </Text>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={own.removeSecretOf(secret.ending)}
                  onClick={() => setRemoving(secret)}
                >
                  {own.removeSecret}
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <Loaded query={factors} skeleton={null}>
          {(data) => (
            <ReauthenticationDialog
              title={own.newSecret}
              explanation={proof.explanation}
              submit={own.newSecret}
              methods={methodsOf(data)}
              onProof={async (given) => {
                const { secret } = await applications.addApplicationSecret(id, given);
                setAdding(false);
                setAdded(secret);
                await reload();
              }}
              onClose={() => setAdding(false)}
            />
          )}
        </Loaded>
      )}
      {added !== null && <SecretDialog secret={added} onDone={() => setAdded(null)} />}
      {removing !== null && (
        <ConfirmDialog
          title={own.removeSecretTitle}
          explanation={own.removeSecretExplanation}
          submit={own.removeSecret}
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await applications.removeApplicationSecret(id, removing.id);
            toast(own.secretRemoved);
            await reload();
          }}
        />
      )}
    </Section>
  );
}
