import type { Subscription } from '@atrium/client';
import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormDialog } from '../forms/form-dialog.tsx';
import { errorText } from '../frame/error-text.ts';
import { useToast } from '../frame/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { useWebhookChanged } from './use-webhooks.ts';

const HEADERS_MAX = 10;

interface Header {
  name: string;
  value: string;
}

/** Replaces the custom headers as a whole, since nobody sees their values again. */
export function HeadersDialog({
  webhook,
  onClose,
}: {
  webhook: Subscription;
  onClose: () => void;
}) {
  const text = useSignedInText();
  const { headers: texts } = text.webhooks;
  const toast = useToast();
  const webhookChanged = useWebhookChanged();
  const [headers, setHeaders] = useState<Header[]>(() => {
    const names = webhook.headerNames.length === 0 ? [''] : webhook.headerNames;
    return names.map((name) => ({ name, value: '' }));
  });
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const change = (index: number, changed: Partial<Header>) =>
    setHeaders(headers.map((header, i) => (i === index ? { ...header, ...changed } : header)));
  const save = async () => {
    setPending(true);
    setFailure(null);
    const entries = headers.filter(({ name }) => name.trim() !== '');
    const body = Object.fromEntries(entries.map(({ name, value }) => [name.trim(), value.trim()]));
    try {
      webhookChanged(await atrium.webhooks.updateWebhook(webhook.id, { headers: body }));
      toast(texts.saved);
      onClose();
    } catch (error) {
      setFailure(errorText(error, text));
      setPending(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <FormDialog
      title={texts.title}
      explanation={texts.dialogHint}
      submit={texts.save}
      submission={{ failure, isPending, onSubmit }}
      onClose={onClose}
    >
      {headers.map(({ name, value }, index) => (
        <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            flex={1}
            label={index === 0 ? texts.nameTitle : undefined}
            aria-label={texts.name(index + 1)}
            value={name}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
          <TextInput
            flex={1}
            label={index === 0 ? texts.valueTitle : undefined}
            aria-label={texts.value(index + 1)}
            value={value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
          <Button
            variant="subtle"
            aria-label={texts.remove(index + 1)}
            onClick={() => setHeaders(headers.filter((_, i) => i !== index))}
          >
            {texts.removeShort}
          </Button>
        </Group>
      ))}
      {headers.length < HEADERS_MAX && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setHeaders([...headers, { name: '', value: '' }])}
        >
          {texts.add}
        </Button>
      )}
    </FormDialog>
  );
}
