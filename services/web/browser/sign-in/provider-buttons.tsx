import type { LoginProviders } from '@atrium/client';
import { Button, Divider, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { loginProviders } from '../session/login-providers.ts';
import { useProviderTexts } from '../texts/lazy-texts.ts';
import { useText } from '../texts/texts.tsx';
import { errorText } from '../ui/error-text.ts';
import { FormError } from '../ui/forms/form-errors.tsx';
import { emailToken, INVITATION_PATH } from './email-token.ts';

/** Whom people can log in with: one button for each. */
export function ProviderButtons({
  providers,
  returnTo,
}: {
  providers: LoginProviders['data'];
  returnTo: string | undefined;
}) {
  const text = useText();
  const texts = useProviderTexts();
  const email = useTypedEmail();
  const [chosen, setChosen] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const start = async (id: string) => {
    setChosen(id);
    setFailure(null);
    try {
      const body = returnTo === undefined ? {} : { returnTo: withInvitation(returnTo) };
      const { location } = await loginProviders.startProviderLogin(id, body);
      window.location.assign(location);
    } catch (error) {
      setChosen(null);
      setFailure(errorText(error, text));
    }
  };
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const isCompany = ({ emailDomains }: (typeof providers)[number]) => emailDomains.includes(domain);
  const company = providers.find(isCompany);
  return (
    <Stack>
      <Divider label={texts.or} />
      <FormError message={failure} />
      <Text size="sm" role="status">
        {company !== undefined && texts.company(domain, company.name)}
      </Text>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant={company?.id === id ? 'filled' : 'default'}
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

/** Its token is in memory, which ends when the browser leaves: it comes back in the URL, as from the email. */
function withInvitation(returnTo: string): string {
  const token = returnTo === INVITATION_PATH ? emailToken(INVITATION_PATH) : null;
  return token === null ? returnTo : `${returnTo}/${token}`;
}

/** As far as it is typed in the form above: the provider of its company stands out. */
function useTypedEmail(): string {
  const [email, setEmail] = useState('');
  useEffect(() => {
    const read = ({ target }: Event) => {
      if (target instanceof HTMLInputElement && target.type === 'email') setEmail(target.value);
    };
    document.addEventListener('input', read);
    return () => document.removeEventListener('input', read);
  }, []);
  return email;
}
