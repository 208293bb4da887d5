import { AtriumError, type Share, type Tagged } from '@atrium/client';
import { Button, Fieldset, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { checksOf, NewPassword } from '../../ui/forms/fields.tsx';
import { focusFirstError, FormError, showServiceError } from '../../ui/forms/form-errors.tsx';
import { localMinute } from '../../ui/times/local-minute.ts';
import { useFollowing } from '../../ui/forms/use-following.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import { useShowShare } from './use-share.ts';

/** What limits the link of a public note. They are saved together, unless somebody else has changed them. */
export function ShareSettings({
  noteId,
  share,
  onUnsaved,
}: {
  noteId: string;
  share: Tagged<Share>;
  onUnsaved: (isUnsaved: boolean) => void;
}) {
  const text = useSignedInText();
  const { sharing } = text;
  const toast = useToast();
  const show = useShowShare(noteId);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const { hasPassword, etag } = share;
  const initialValues = valuesOf(share);
  const { expiresAt: expiry } = initialValues;
  const form = useForm({
    initialValues,
    validate: {
      password: (value, { usesPassword }) =>
        !usesPassword || (hasPassword && value === '') ? null : checksOf(text).newPassword(value),
      expiresAt: (value) =>
        value === '' || value === expiry || Date.parse(value) > Date.now()
          ? null
          : sharing.expiresInPast,
      maxViews: (value) =>
        /^([1-9]\d{0,5}|1000000)?$/.test(value) ? null : sharing.maxViewsInvalid,
    },
  });
  useFollowing(form, initialValues);
  const isUnsaved = form.isDirty() && !isPending;
  useEffect(() => {
    onUnsaved(isUnsaved);
    return () => onUnsaved(false);
  }, [isUnsaved, onUnsaved]);
  const save = async (values: typeof form.values) => {
    setPending(true);
    setFailure(null);
    const { usesPassword, password, allowIndexing } = values;
    const isExpiryChanged = values.expiresAt !== expiry;
    try {
      const saved = await workspaces.updateShare(
        noteId,
        {
          allowIndexing,
          maxViews: values.maxViews === '' ? null : Number(values.maxViews),
          ...(isExpiryChanged && { expiresAt: toTimestamp(values.expiresAt) }),
          ...(!usesPassword && hasPassword && { password: null }),
          ...(usesPassword && password !== '' && { password }),
        },
        { ifMatch: etag },
      );
      toast(sharing.saved);
      form.resetDirty({ ...values, password: '' });
      if (form.getValues().password === password) form.setFieldValue('password', '');
      show(saved);
    } catch (error) {
      if (!(error instanceof AtriumError) || error.status !== 412) {
        setFailure(showServiceError(form, error, text));
        return;
      }
      toast(sharing.changedElsewhere, { kind: 'error' });
      const theirs = await workspaces.getShare(noteId);
      form.resetDirty(valuesOf(theirs));
      form.setValues(valuesOf(theirs));
      show(theirs);
    } finally {
      setPending(false);
    }
  };
  return (
    <form noValidate onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))}>
      <Fieldset legend={sharing.restrictions} mx={0}>
        <Stack align="stretch">
          <FormError message={failure} />
          <Switch
            label={sharing.usesPassword}
            {...form.getInputProps('usesPassword', { type: 'checkbox' })}
          />
          {form.values.usesPassword && (
            <NewPassword
              chosen={form.values.password}
              {...(hasPassword && { description: sharing.keepPassword })}
              {...form.getInputProps('password')}
            />
          )}
          <TextInput
            type="datetime-local"
            label={sharing.expiresAt}
            description={sharing.expiresAtHint}
            {...form.getInputProps('expiresAt')}
          />
          <TextInput
            inputMode="numeric"
            autoComplete="off"
            label={sharing.maxViews}
            description={sharing.maxViewsHint}
            {...form.getInputProps('maxViews')}
          />
          <Switch
            label={sharing.allowIndexing}
            {...form.getInputProps('allowIndexing', { type: 'checkbox' })}
          />
          <Button type="submit" variant="default" loading={isPending}>
            {sharing.save}
          </Button>
        </Stack>
      </Fieldset>
    </form>
  );
}

function valuesOf({ hasPassword, expiresAt, maxViews, allowIndexing }: Share) {
  return {
    usesPassword: hasPassword,
    password: '',
    expiresAt: expiresAt === null ? '' : localMinute(Date.parse(expiresAt)),
    maxViews: maxViews === null ? '' : String(maxViews),
    allowIndexing,
  };
}

const toTimestamp = (minute: string) =>
  minute === '' ? null : new Date(Date.parse(minute)).toISOString();
