import type { EventName } from '@atrium/client';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AllTexts } from '../texts/signed-in-texts.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';

/** What a webhook is made with and may be changed to. */
export interface WebhookValues extends Record<string, unknown> {
  url: string;
  description: string;
  events: EventName[];
}

const DESCRIPTION_LENGTH_MAX = 200;
const URL_LENGTH_MAX = 2048;

/** What is certainly wrong; the service checks the rest. */
export function webhookChecks({ webhooks: { fields } }: AllTexts) {
  return {
    url: (url: string) => (/^https?:\/\/[^/\s]+/.test(url.trim()) ? null : fields.urlInvalid),
    events: (events: EventName[]) => (events.length === 0 ? fields.eventsRequired : null),
  };
}

export function WebhookFields<Values extends WebhookValues>({
  form,
}: {
  form: UseFormReturnType<Values>;
}) {
  const { webhooks } = useAllText();
  const { fields } = webhooks;
  return (
    <>
      <TextInput
        key={form.key('url')}
        {...form.getInputProps('url')}
        label={fields.url}
        data-autofocus
        description={fields.urlHint}
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
          {Object.entries(webhooks.events).map(([name, description]) => (
            <Checkbox key={name} value={name} label={name} description={description} />
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
