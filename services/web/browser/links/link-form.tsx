import type { CreateLinkBody, Link } from '@atrium/client';
import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { Form } from '../ui/forms/form.tsx';
import { checksOf } from '../ui/forms/fields.tsx';
import { FormError, hasCode, showServiceError } from '../ui/forms/form-errors.tsx';
import { useFollowing } from '../ui/forms/use-following.ts';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { isDestination, toDestination } from '../ui/urls.ts';
import { SlugStatus } from './slug-status.tsx';

const URL_LENGTH_MAX = 2048;
const SLUG_LENGTH_MAX = 64;
const SLUG = /^[A-Za-z0-9_-]{3,64}$/;
const NOT_OF_SLUG = /[^A-Za-z0-9_-]/;

export type LinkValues = Required<CreateLinkBody>;

/** Where a link leads and what it is called. What was typed stays when sending it fails and when the link changes. */
export function LinkForm({
  initialValues,
  savedSlug,
  onValuesChange = () => {},
  send,
  onSaved,
  children,
}: {
  initialValues: LinkValues;
  /** The short name of a link that exists; a new one may do without. */
  savedSlug?: string;
  onValuesChange?: (values: LinkValues) => void;
  send: (values: LinkValues, isDirty: (name: keyof LinkValues) => boolean) => Promise<Link>;
  onSaved: (link: Link) => Promise<void> | void;
  /** The buttons below the fields. */
  children: (isPending: boolean, isDirty: boolean) => ReactNode;
}) {
  const text = useAllText();
  const { links } = text;
  const { required } = checksOf(text);
  const form = useForm({
    initialValues,
    validateInputOnBlur: true,
    onValuesChange: (values) => onValuesChange(values),
    validate: {
      url: required(links.destination, (url) => (isDestination(url) ? null : links.invalidUrl)),
      slug: (slug) => {
        if (slug === '' && savedSlug === undefined) return null;
        return SLUG.test(slug) ? null : links.invalidSlug;
      },
    },
  });
  useFollowing(form, initialValues);
  const submission = useSubmission(
    form,
    async (values) => {
      const url = toDestination(values.url);
      const saved = await send({ ...values, url }, form.isDirty);
      form.resetDirty(values);
      await onSaved(saved);
    },
    (error) => {
      if (!hasCode(error, 'slug-taken')) return showServiceError(form, error, text);
      form.setErrors({ slug: links.slugTaken });
      form.getInputNode('slug')?.focus();
      return null;
    },
  );
  // A name that is still too short is not wrong yet.
  const { slug } = form.values;
  const isNewSlug = SLUG.test(slug) && slug !== savedSlug && form.errors['slug'] === undefined;
  const isMistyped = NOT_OF_SLUG.test(slug);
  return (
    <Form onSubmit={submission.onSubmit}>
      <Stack>
        <FormError message={submission.failure} />
        <TextInput
          key={form.key('url')}
          {...form.getInputProps('url')}
          label={links.destination}
          description={links.destinationHint}
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={URL_LENGTH_MAX}
          data-autofocus
        />
        <div>
          <TextInput
            key={form.key('slug')}
            {...form.getInputProps('slug')}
            error={form.errors['slug'] ?? (isMistyped ? links.invalidSlug : null)}
            label={links.slug}
            description={savedSlug === undefined ? links.slugOptionalHint : links.slugHint}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={SLUG_LENGTH_MAX}
          />
          <SlugStatus slug={isNewSlug ? slug : ''} />
        </div>
        {children(submission.isPending, form.isDirty())}
      </Stack>
    </Form>
  );
}
