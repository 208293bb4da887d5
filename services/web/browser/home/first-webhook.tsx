import { Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { VerifiedButton } from '../session/verified-button.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { LatePart } from '../ui/late/late-page.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Section } from '../ui/page/section.tsx';

const Trial = lazyPart(async () => (await import('../webhooks/trial/trial.tsx')).Trial);

/** A first webhook: tried with this page as its receiver, or made for a server. */
export function FirstWebhook() {
  const { home, webhooks } = useAllText();
  const navigate = useNavigate();
  const [isTrying, setTrying] = useState(false);
  return (
    <Section
      title={home.webhooks.firstTitle}
      hint={home.webhooks.empty}
      action={
        <Group gap="xs">
          {!isTrying && (
            <VerifiedButton size="xs" onClick={() => setTrying(true)}>
              {webhooks.trial.start}
            </VerifiedButton>
          )}
          <VerifiedButton
            size="xs"
            variant="default"
            onClick={() => void navigate({ to: '/webhooks', search: { new: true } })}
          >
            {webhooks.new}
          </VerifiedButton>
        </Group>
      }
    >
      {isTrying && (
        <Suspense fallback={<LatePart />}>
          <Trial onStop={() => setTrying(false)} />
        </Suspense>
      )}
    </Section>
  );
}
