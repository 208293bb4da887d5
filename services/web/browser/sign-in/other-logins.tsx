import type { LoginProviders } from '@atrium/client';
import { Suspense, useEffect, useState } from 'react';
import { listLoginProviders } from '../session/provider-list.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

const ProviderButtons = lazyPart(
  async () => (await import('./provider-buttons.tsx')).ProviderButtons,
);

/** Whom people can log in with, below the form of the login and of the registration. */
export function OtherLogins({ returnTo }: { returnTo: string | undefined }) {
  const [providers, setProviders] = useState<LoginProviders['data']>([]);
  useEffect(() => {
    listLoginProviders().then(
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
