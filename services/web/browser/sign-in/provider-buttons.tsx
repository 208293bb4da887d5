import type { LoginProviders } from '@atrium/client';
import { Button, Divider, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { loginProviders } from '../session/login-providers.ts';
import { useProviderTexts } from '../texts/lazy-texts.ts';
import { useText } from '../texts/texts.tsx';
import { errorText } from '../ui/error-text.ts';
import { FormError } from '../ui/forms/form-errors.tsx';

/** Whom people can log in with, below the form of the login and of the registration; nothing without any. */
export function ProviderButtons({ returnTo }: { returnTo: string | undefined }) {
  const text = useText();
  const texts = useProviderTexts();
  const [providers, setProviders] = useState<LoginProviders['data']>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    loginProviders.listLoginProviders().then(
      ({ data }) => setProviders(data),
      // The form above still works.
      () => undefined,
    );
  }, []);
  const start = async (id: string) => {
    setChosen(id);
    setFailure(null);
    try {
      const body = returnTo === undefined ? {} : { returnTo };
      const { location } = await loginProviders.startProviderLogin(id, body);
      window.location.assign(location);
    } catch (error) {
      setChosen(null);
      setFailure(errorText(error, text));
    }
  };
  if (providers.length === 0) return null;
  return (
    <Stack>
      <Divider label={texts.or} />
      <FormError message={failure} />
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          loading={chosen === id}
          disabled={chosen !== null && chosen !== id}
          onClick={() => void start(id)}
        >
          {texts.with(name)}
        </Button>
      ))}
    </Stack>
  );
}
