import type { Application, OwnerProof } from '@atrium/client';
import { Button, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ReauthenticationDialog } from '../account/proof/reauthentication-dialog.tsx';
import { methodsOf, useSecondFactors } from '../account/proof/second-factors.ts';
import { applications } from '../session/applications.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { UnsavedChanges } from '../ui/dialogs/unsaved-changes.tsx';
import { errorText } from '../ui/error-text.ts';
import { checksOf } from '../ui/forms/fields.tsx';
import { FormError, hasCode } from '../ui/forms/form-errors.tsx';
import { useFollowing } from '../ui/forms/use-following.ts';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Section } from '../ui/page/section.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import classes from './developers.module.css';
import { linesOf, NAME_LENGTH_MAX, ScopesField } from './fields.tsx';

const URL_LENGTH_MAX = 2_000;
const URL_FIELDS = ['homePage', 'redirectUrls', 'postLogoutUrls', 'backchannelLogoutUrl'] as const;
const ALGORITHMS = ['RS256', 'EdDSA'] as const;

const valuesOf = (application: Application) => ({
  name: application.name,
  homePage: application.homePage ?? '',
  redirectUrls: application.redirectUrls.join('\n'),
  postLogoutUrls: application.postLogoutUrls.join('\n'),
  backchannelLogoutUrl: application.backchannelLogoutUrl ?? '',
  scopes: application.scopes,
  idTokenAlgorithm: application.idTokenAlgorithm,
});

const orNull = (value: string) => (value.trim() === '' ? null : value.trim());

/** What people see of an application, and where it may send them. */
export function SettingsSection({ application }: { application: Application }) {
  const text = useAllText();
  const { own } = text.applications;
  const toast = useToast();
  const queryClient = useQueryClient();
  const isMachine = application.kind === 'machine';
  const form = useForm({
    initialValues: valuesOf(application),
    validate: { name: checksOf(text).required(own.name) },
  });
  const factors = useSecondFactors();
  const [isProving, setProving] = useState(false);
  useFollowing(form, valuesOf(application));
  const save = async (values: typeof form.values, proof?: OwnerProof) => {
    const fields = {
      name: values.name.trim(),
      homePage: orNull(values.homePage),
      scopes: values.scopes,
      redirectUrls: linesOf(values.redirectUrls),
      postLogoutUrls: linesOf(values.postLogoutUrls),
      backchannelLogoutUrl: orNull(values.backchannelLogoutUrl),
      idTokenAlgorithm: values.idTokenAlgorithm,
    };
    // The rest may have changed elsewhere in the meantime.
    const change: Partial<typeof fields> = Object.fromEntries(
      Object.entries(fields).filter(([name]) => form.isDirty(name)),
    );
    const saved = await applications.changeApplication(application.id, { ...proof, ...change });
    form.resetDirty(values);
    queryClient.setQueryData(queryKeys.applications.one(saved.id), saved);
    void queryClient.invalidateQueries({ queryKey: queryKeys.applications.list, exact: true });
    toast(own.saved);
  };
  const submission = useSubmission(
    form,
    (values) => save(values),
    (error) => {
      if (hasCode(error, 'proof-required')) {
        setProving(true);
        return null;
      }
      const message = errorText(error, text);
      // What is stored was accepted, so the refused URL is among those that have changed.
      const [field, ...others] = URL_FIELDS.filter((name) => form.isDirty(name));
      const isUrl = hasCode(error, 'url-not-allowed', 'redirect-url-missing');
      if (!isUrl || field === undefined || others.length > 0) return message;
      form.setErrors({ [field]: message });
      form.getInputNode(field)?.focus();
      return null;
    },
  );
  const lines = (name: 'redirectUrls' | 'postLogoutUrls') => (
    <Textarea
      key={form.key(name)}
      {...form.getInputProps(name)}
      label={own[name]}
      description={own[`${name}Hint`]}
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
    />
  );
  return (
    <Section title={own.settings}>
      <form noValidate onSubmit={submission.onSubmit} className={classes.form}>
        <Stack>
          <FormError message={submission.failure} />
          <TextInput
            key={form.key('name')}
            {...form.getInputProps('name')}
            label={own.name}
            description={own.nameHint}
            maxLength={NAME_LENGTH_MAX}
            autoComplete="off"
          />
          <TextInput
            key={form.key('homePage')}
            {...form.getInputProps('homePage')}
            label={own.homePage}
            type="url"
            maxLength={URL_LENGTH_MAX}
          />
          {!isMachine && (
            <>
              {lines('redirectUrls')}
              {lines('postLogoutUrls')}
              <TextInput
                key={form.key('backchannelLogoutUrl')}
                {...form.getInputProps('backchannelLogoutUrl')}
                label={own.backchannelLogoutUrl}
                type="url"
                maxLength={URL_LENGTH_MAX}
              />
            </>
          )}
          <ScopesField
            value={form.values.scopes}
            onChange={(scopes) => form.setFieldValue('scopes', scopes)}
          />
          {!isMachine && (
            <NativeSelect
              key={form.key('idTokenAlgorithm')}
              {...form.getInputProps('idTokenAlgorithm')}
              label={own.algorithm}
              data={[...ALGORITHMS]}
            />
          )}
          <div>
            <Button type="submit" loading={submission.isPending}>
              {own.save}
            </Button>
          </div>
        </Stack>
      </form>
      {isProving && (
        <Loaded query={factors} skeleton={null}>
          {(data) => (
            <ReauthenticationDialog
              title={own.confirmTitle}
              explanation={own.confirmExplanation}
              submit={own.save}
              methods={methodsOf(data)}
              onProof={async (proof) => {
                await save(form.values, proof);
                setProving(false);
              }}
              onClose={() => setProving(false)}
            />
          )}
        </Loaded>
      )}
      <UnsavedChanges when={form.isDirty() && !submission.isPending} />
    </Section>
  );
}
