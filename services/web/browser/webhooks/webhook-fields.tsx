import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { isPortal } from '../platform/portal.ts';
import type { AllTexts } from '../texts/signed-in-texts.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { byProduct, useProductEventTypes } from './use-event-types.ts';

/** What a webhook is made with and may be changed to. */
export interface WebhookValues extends Record<string, unknown> {
  url: string;
  description: string;
  events: string[];
}

const DESCRIPTION_LENGTH_MAX = 200;
export const URL_LENGTH_MAX = 2048;

/** What is certainly wrong; the service checks the rest. */
export function webhookChecks({ webhooks: { fields } }: AllTexts) {
  return {
    url: (url: string) =>
      /^(http|amqp|redis)s?:\/\/[^/\s]+/.test(url.trim()) ? null : fields.urlInvalid,
    events: (events: string[]) => (events.length === 0 ? fields.eventsRequired : null),
  };
}

export function WebhookFields<Values extends WebhookValues>({
  form,
  urlHint,
}: {
  form: UseFormReturnType<Values>;
  urlHint: string;
}) {
  const { webhooks } = useAllText();
  const { fields } = webhooks;
  const products = byProduct(useProductEventTypes());
  const choices = [
    ...(isPortal ? [] : Object.entries(webhooks.events)),
    ...[...products].flatMap(([product, types]) => [
      [`${product}.*`, fields.allEvents(product)] as const,
      ...types.map(({ name, description }) => [name, description] as const),
    ]),
  ];
  const isOffered = (name: string) => choices.some(([known]) => known === name);
  const others = form.getValues().events.filter((name) => !isOffered(name));
  return (
    <>
      <TextInput
        key={form.key('url')}
        {...form.getInputProps('url')}
        label={fields.url}
        data-autofocus
        description={urlHint}
        type="url"
        inputMode="url"
        autoComplete="url"
        spellCheck={false}
        maxLength={URL_LENGTH_MAX}
      />
      <Checkbox.Group
        key={form.key('events')}
        {...form.getInputProps('events')}
        label={fields.events}
      >
        <Stack gap={10} mt={4} mb={4}>
          {choices.map(([name, description]) => (
            <Checkbox key={name} value={name} label={name} description={description} />
          ))}
          {others.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        key={form.key('description')}
        {...form.getInputProps('description')}
        label={fields.description}
        description={fields.descriptionHint}
        maxLength={DESCRIPTION_LENGTH_MAX}
        autoComplete="off"
      />
    </>
  );
}
