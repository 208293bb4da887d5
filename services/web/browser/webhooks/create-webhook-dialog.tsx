import type { CreatedSubscription } from '@atrium/client';
import { Button, Input } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { FormDialog } from '../ui/dialogs/form-dialog.tsx';
import { focusFirstError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { DestinationFields } from './destination-fields.tsx';
import {
  type DestinationValues,
  type Kind,
  missingFields,
  NO_DESTINATION,
  toDestination,
} from './destination-values.ts';
import { FilterRows } from './filter/filter-rows.tsx';
import { currentFilter, filterChecks, type FilterValues, valuesOf } from './filter/values.ts';
import { SignatureChoice } from './public-key.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useWebhookChanged } from './use-webhooks.ts';
import { webhookChecks, WebhookFields, type WebhookValues } from './webhook-fields.tsx';
import classes from './webhooks.module.css';

interface Values extends WebhookValues {
  hasKeyPair: boolean;
  destination: DestinationValues;
}

/** Makes a webhook and shows its secret, which then leads to its test. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const text = useAllText();
  const { filters } = text;
  const { create, destination: texts } = text.webhooks;
  const navigate = useNavigate();
  const webhookChanged = useWebhookChanged();
  const [created, setCreated] = useState<CreatedSubscription | null>(null);
  /** Null until one other than HTTP is asked for. */
  const [chosen, setChosen] = useState<Kind | null>(null);
  const kind = chosen ?? 'http';
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: {
      url: '',
      description: '',
      events: [],
      hasKeyPair: false,
      destination: NO_DESTINATION,
    },
    validate: ({ url, events, destination }) => {
      const checks = webhookChecks(text);
      const faults = { url: checks.url(url), events: checks.events(events) };
      return { ...faults, ...missingFields(kind, destination, text) };
    },
  });
  const filterId = useId();
  const filterForm = useForm<FilterValues>({
    initialValues: valuesOf(null),
    validate: filterChecks(filters),
  });
  const submission = useSubmission(form, async (values) => {
    const { url, description, events, hasKeyPair, destination } = values;
    const filter = currentFilter(filterForm.getValues()) ?? null;
    const body = { url: url.trim(), description, events, filter };
    const signature = hasKeyPair ? 'ed25519' : 'hmac';
    const elsewhere = kind === 'http' ? {} : { destination: toDestination(kind, destination) };
    setCreated(await atrium.webhooks.createWebhook({ ...body, ...elsewhere, signature }));
    webhookChanged();
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const filterFaults = filterForm.validate();
    if (!filterFaults.hasErrors) return submission.onSubmit(event);
    event.preventDefault();
    const faults = form.validate();
    if (faults.hasErrors) focusFirstError(form)(faults.errors);
    else focusFirstError(filterForm)(filterFaults.errors);
  };
  if (created !== null) {
    const { id } = created;
    const search = { tab: 'test' };
    const open = () =>
      void navigate({
        to: '/webhooks/$id',
        params: { id },
        search,
        replace: true,
        ignoreBlocker: true,
      });
    return <SecretDialog title={create.doneTitle} keys={created} onDone={open} />;
  }
  return (
    <FormDialog
      title={create.title}
      submit={create.submit}
      submission={{ ...submission, onSubmit }}
      onClose={onClose}
    >
      <WebhookFields form={form} urlHint={texts.urlHints[kind]} />
      <Input.Wrapper
        role="group"
        id={filterId}
        aria-labelledby={`${filterId}-label`}
        label={filters.title}
        labelElement="div"
        description={filters.hint}
        inputContainer={(rows) => <div className={classes.filter}>{rows}</div>}
      >
        <FilterRows form={filterForm} />
      </Input.Wrapper>
      <SignatureChoice
        key={form.key('hasKeyPair')}
        {...form.getInputProps('hasKeyPair', { type: 'checkbox' })}
      />
      {chosen === null ? (
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setChosen('amqp')}
        >
          {texts.other}
        </Button>
      ) : (
        <DestinationFields form={form} kind={chosen} onKind={setChosen} />
      )}
    </FormDialog>
  );
}
