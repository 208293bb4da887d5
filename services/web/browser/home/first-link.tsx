import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useUser } from '../session/user.ts';
import { VerifiedButton } from '../session/verified-button.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { isDestination, toDestination } from '../ui/urls.ts';
import { checksOf } from '../ui/forms/fields.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { reload } from '../ui/lists/use-list.ts';
import classes from './home.module.css';

const URL_LENGTH_MAX = 2048;

/** Makes a link of a URL alone, and goes to its page. */
export function FirstLink() {
  const text = useAllText();
  const { links } = text;
  const { emailVerified } = useUser();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { url: '' },
    validate: {
      url: checksOf(text).required(links.destination, (url) =>
        isDestination(url) ? null : links.invalidUrl,
      ),
    },
  });
  const submission = useSubmission(form, async ({ url }) => {
    const link = await atrium.links.createLink({ url: toDestination(url) });
    queryClient.setQueryData(queryKeys.links.one(link.id), link);
    void reload(queryClient, { queryKey: queryKeys.links.all });
    await navigate({ to: '/links/$id', params: { id: link.id } });
  });
  return (
    <form noValidate onSubmit={submission.onSubmit} className={classes.firstLink}>
      <FormError message={submission.failure} />
      <div className={classes.firstLinkFields}>
        <TextInput
          key={form.key('url')}
          {...form.getInputProps('url')}
          aria-label={links.destination}
          placeholder={text.home.links.example}
          disabled={!emailVerified}
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={URL_LENGTH_MAX}
        />
        <VerifiedButton isSubmit loading={submission.isPending}>
          {links.create}
        </VerifiedButton>
      </div>
    </form>
  );
}
