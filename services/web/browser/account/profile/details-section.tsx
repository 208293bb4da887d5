import type { CurrentUser } from '@atrium/client';
import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { checksOf, UsernameField } from '../../ui/forms/fields.tsx';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { changedValues, useFollowing } from '../../ui/forms/use-following.ts';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../ui/page/section.tsx';
import classes from '../account.module.css';

const BIO_LENGTH_MAX = 500;
const NAME_LENGTH_MAX = 100;

/** Name, username and what a person says about themselves. */
export function DetailsSection({ user }: { user: CurrentUser }) {
  const text = useAllText();
  const { fields } = text;
  const { profile } = text.account;
  const toast = useToast();
  const queryClient = useQueryClient();
  const { name, username, bio } = user;
  const checks = checksOf(text);
  const form = useForm({
    initialValues: { name, username, bio },
    validateInputOnBlur: true,
    validate: { name: checks.required(fields.name), username: checks.username },
  });
  useFollowing(form, { name, username, bio });
  const { failure, isPending, onSubmit } = useSubmission(form, async (values) => {
    const saved = await atrium.auth.updateCurrentUser(changedValues(form, values));
    form.resetDirty(values);
    queryClient.setQueryData(queryKeys.account.profile, saved);
    toast(profile.detailsSaved);
  });
  const input = (field: 'name' | 'username' | 'bio') => ({
    key: form.key(field),
    ...form.getInputProps(field),
  });
  return (
    <Section title={profile.details} hint={profile.detailsHint}>
      <UnsavedChanges when={form.isDirty() && !isPending} />
      <Form className={classes.form} onSubmit={onSubmit}>
        <Stack>
          <FormError message={failure} />
          <TextInput
            {...input('name')}
            label={fields.name}
            autoComplete="name"
            maxLength={NAME_LENGTH_MAX}
          />
          <UsernameField {...input('username')} />
          <Textarea
            {...input('bio')}
            label={profile.bio}
            maxLength={BIO_LENGTH_MAX}
            autosize
            minRows={2}
          />
          <Button type="submit" loading={isPending} className={classes.submit}>
            {profile.saveDetails}
          </Button>
        </Stack>
      </Form>
    </Section>
  );
}
