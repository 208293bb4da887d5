import type { LoginProviders } from '@atrium/client';
import { Suspense, useEffect, useState } from 'react';
import { atrium } from '../session/atrium.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

const ProviderButtons = lazyPart(
  async () => (await import('./provider-buttons.tsx')).ProviderButtons,
);

/** Alone, so that an Atrium without providers loads nothing more of them. */
const { list } = atrium.callsOf<{ list: () => Promise<LoginProviders> }>('auth', {
  list: 'GET /auth/providers public',
});

/** Whom people can log in with, below the form of the login and of the registration. */
export function OtherLogins({ returnTo }: { returnTo: string | undefined }) {
  const [providers, setProviders] = useState<LoginProviders['data']>([]);
  useEffect(() => {
    list().then(
      ({ data }) => setProviders(data),
      // The form above still works.
      () => undefined,
    );
  }, []);
  return (
    providers.length > 0 && (
      <Suspense fallback={null}>
        <ProviderButtons returnTo={returnTo} providers={providers} />
      </Suspense>
    )
  );
}
