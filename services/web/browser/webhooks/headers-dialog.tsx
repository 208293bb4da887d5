import type { Subscription } from '@atrium/client';
import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { FormDialog } from '../ui/dialogs/form-dialog.tsx';
import { useWhileOpen } from '../ui/dialogs/use-while-open.ts';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { errorText } from '../ui/error-text.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { faultyNames, toHeaders } from './header-fields.ts';
import { useWebhookChanged } from './use-webhooks.ts';
import classes from './webhooks.module.css';

const HEADERS_MAX = 10;

/** Replaces the custom headers as a whole, since nobody sees their values again. */
export function HeadersDialog({
  webhook,
  onClose,
}: {
  webhook: Subscription;
  onClose: () => void;
}) {
  const text = useAllText();
  const { headers: texts } = text.webhooks;
  const toast = useToast();
  const webhookChanged = useWebhookChanged();
  const names = webhook.headerNames.length === 0 ? [''] : webhook.headerNames;
  const form = useForm({
    initialValues: { headers: names.map((name) => ({ name, value: '' })) },
    validate: ({ headers: fields }) =>
      Object.fromEntries(
        [...faultyNames(fields)].map(([index, fault]) => [
          `headers.${index}.name`,
          fault === 'twice' ? texts.nameTwice : text.fields.required(texts.nameTitle),
        ]),
      ),
  });
  const { headers } = form.getValues();
  const addButton = useRef<HTMLButtonElement>(null);
  const focusName = (index: number) =>
    (form.getInputNode(`headers.${index}.name`) ?? addButton.current)?.focus();
  const close = useWhileOpen(onClose);
  const submission = useSubmission(
    form,
    async () => {
      const change = { headers: toHeaders(headers) };
      webhookChanged(await atrium.webhooks.updateWebhook(webhook.id, change));
      toast(texts.saved);
      close();
    },
    (error) => errorText(error, text),
  );
  return (
    <FormDialog
      title={texts.title}
      explanation={texts.dialogHint}
      submit={texts.save}
      submission={submission}
      onClose={onClose}
    >
      {headers.map((_, index) => (
        <Group key={index} gap="xs" wrap="nowrap" align="flex-end" className={classes.header}>
          <TextInput
            {...form.getInputProps(`headers.${index}.name`)}
            flex={1}
            label={index === 0 ? texts.nameTitle : undefined}
            aria-label={texts.name(index + 1)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus={index === 0 || undefined}
          />
          <TextInput
            {...form.getInputProps(`headers.${index}.value`)}
            flex={1}
            label={index === 0 ? texts.valueTitle : undefined}
            aria-label={texts.value(index + 1)}
            autoComplete="off"
            spellCheck={false}
          />
          <IconButton
            icon="trash"
            label={texts.remove(index + 1)}
            onClick={() => {
              flushSync(() => form.removeListItem('headers', index));
              focusName(Math.max(index - 1, 0));
            }}
          />
        </Group>
      ))}
      {headers.length < HEADERS_MAX && (
        <Button
          ref={addButton}
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            flushSync(() => form.insertListItem('headers', { name: '', value: '' }));
            focusName(headers.length);
          }}
        >
          {texts.add}
        </Button>
      )}
    </FormDialog>
  );
}
