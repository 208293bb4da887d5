import type { CurrentUser } from '@atrium/client';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { flushSync } from 'react-dom';
import { Form } from '../../ui/forms/form.tsx';
import { checksOf } from '../../ui/forms/fields.tsx';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Section } from '../../ui/page/section.tsx';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import { isDestination, toDestination } from '../../ui/urls.ts';
import { atrium } from '../../session/atrium.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import classes from '../account.module.css';

const LINKS_MAX = 10;
const LABEL_LENGTH_MAX = 50;
const URL_LENGTH_MAX = 2048;

/** A person's pages elsewhere, each with what it is called. */
export function ProfileLinksSection({ user }: { user: CurrentUser }) {
  const text = useAllText();
  const { links: texts } = text.account.profile;
  const toast = useToast();
  const { required } = checksOf(text);
  const form = useForm({
    initialValues: { links: user.profileLinks },
    validateInputOnBlur: true,
    validate: {
      links: {
        label: required(texts.label),
        url: required(texts.url, (url) => (isDestination(url) ? null : texts.invalidUrl)),
      },
    },
  });
  const { links } = form.getValues();
  const { failure, isPending, onSubmit } = useSubmission(form, async () => {
    const profileLinks = links.map(({ label, url }) => ({
      label: label.trim(),
      url: toDestination(url),
    }));
    await atrium.auth.updateCurrentUser({ profileLinks });
    const isSame = JSON.stringify(form.getValues().links) === JSON.stringify(links);
    form.setInitialValues({ links: profileLinks });
    // What was typed meanwhile stays.
    if (isSame) form.reset();
    else form.resetDirty({ links: profileLinks });
    toast(texts.saved);
  });
  return (
    <Section title={texts.title} hint={texts.hint}>
      <UnsavedChanges when={form.isDirty() && !isPending} />
      <Form onSubmit={onSubmit}>
        <Stack align="flex-start">
          <FormError message={failure} />
          {links.map((_, index) => (
            <Group key={index} gap="xs" wrap="nowrap" align="flex-start" className={classes.link}>
              <TextInput
                {...form.getInputProps(`links.${index}.label`)}
                className={classes.linkLabel}
                aria-label={texts.labelOf(index + 1)}
                placeholder={texts.label}
                maxLength={LABEL_LENGTH_MAX}
              />
              <TextInput
                {...form.getInputProps(`links.${index}.url`)}
                className={classes.linkUrl}
                aria-label={texts.urlOf(index + 1)}
                placeholder={texts.url}
                type="url"
                inputMode="url"
                maxLength={URL_LENGTH_MAX}
              />
              <IconButton
                icon="trash"
                label={texts.removeOf(index + 1)}
                onClick={() => form.removeListItem('links', index)}
              />
            </Group>
          ))}
          <Group gap="sm">
            {links.length < LINKS_MAX && (
              <Button
                variant="default"
                onClick={() => {
                  flushSync(() => form.insertListItem('links', { label: '', url: '' }));
                  form.getInputNode(`links.${links.length}.label`)?.focus();
                }}
              >
                {texts.add}
              </Button>
            )}
            {(links.length > 0 || form.isDirty()) && (
              <Button type="submit" loading={isPending}>
                {texts.save}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}
