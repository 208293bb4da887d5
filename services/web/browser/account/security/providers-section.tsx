import type { Identities, Identity, LoginProviders, OwnerProof } from '@atrium/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { loginProviders } from '../../session/login-providers.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useProviderTexts } from '../../texts/lazy-texts.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useIdentities } from '../proof/password-first.tsx';
import { ReauthenticationDialog } from '../proof/reauthentication-dialog.tsx';
import type { Method } from '../proof/second-factors.ts';

type Provider = LoginProviders['data'][number];
type Change = { kind: 'link'; provider: Provider } | { kind: 'unlink'; identity: Identity };

/** With whom the account can be logged in to; nothing where there is nobody. */
export function ProvidersSection({ methods }: { methods: readonly Method[] }) {
  const { data: identities } = useIdentities();
  const { data: providers } = useQuery({
    queryKey: queryKeys.account.loginProviders,
    queryFn: async ({ signal }) => (await loginProviders.listLoginProviders({ signal })).data,
  });
  if (identities === undefined || providers === undefined) return null;
  if (providers.length === 0 && identities.data.length === 0) return null;
  return <Linked {...identities} providers={providers} methods={methods} />;
}

function Linked({
  providers,
  data,
  hasPassword,
  methods,
}: Identities & { providers: Provider[]; methods: readonly Method[] }) {
  const { account, proof } = useAllText();
  const texts = useProviderTexts();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [change, setChange] = useState<Change | null>(null);
  const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id;
  const unlinked = providers.filter(({ id }) => data.every(({ provider }) => provider !== id));
  const title =
    change?.kind === 'unlink'
      ? texts.unlinkTitle(nameOf(change.identity.provider))
      : texts.link(change?.provider.name ?? '');

  const prove = async (given: OwnerProof) => {
    if (change?.kind === 'link') {
      const { location } = await loginProviders.linkProvider(change.provider.id, given);
      window.location.assign(location);
    } else if (change !== null) {
      await loginProviders.unlinkIdentity(change.identity.id, given);
      toast(texts.unlinked(nameOf(change.identity.provider)));
      setChange(null);
      await queryClient.invalidateQueries({ queryKey: queryKeys.account.identities });
    }
  };
  return (
    <Section title={texts.section} hint={hasPassword ? texts.hint : account.security.passwordFirst}>
      <Stack gap="sm">
        {data.length === 0 && <Text size="sm">{texts.none}</Text>}
        {data.map((identity) => (
          <Group key={identity.id} justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {`${nameOf(identity.provider)} · ${identity.label}`}
              <Text span size="sm" c="dimmed">
                {` · ${texts.lastUsed} `}
                <Time value={identity.lastUsedAt} />
              </Text>
            </Text>
            {hasPassword && (
              <Button
                variant="default"
                size="xs"
                flex="none"
                aria-label={texts.unlinkOf(nameOf(identity.provider))}
                onClick={() => setChange({ kind: 'unlink', identity })}
              >
                {texts.unlink}
              </Button>
            )}
          </Group>
        ))}
        {hasPassword && (
          <Group>
            {unlinked.map((provider) => (
              <Button
                key={provider.id}
                variant="default"
                onClick={() => setChange({ kind: 'link', provider })}
              >
                {texts.link(provider.name)}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
      {change !== null && (
        <ReauthenticationDialog
          title={title}
          explanation={proof.explanation}
          submit={change.kind === 'link' ? texts.link(change.provider.name) : texts.unlink}
          methods={methods}
          onProof={prove}
          onClose={() => setChange(null)}
        />
      )}
    </Section>
  );
}
