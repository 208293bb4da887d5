import type { Application, Portal, Portals } from '@atrium/client';
import { Button, NativeSelect, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { UnsavedChanges } from '../ui/dialogs/unsaved-changes.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { changedValues, useFollowing } from '../ui/forms/use-following.ts';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Section } from '../ui/page/section.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { portals } from './portals.ts';

const ORIGINS_MAX = 10;
const COLOUR = /^#[0-9a-f]{6}$/;
const ORIGIN = /^(https:\/\/[a-z0-9.-]+(:\d{1,5})?|http:\/\/(localhost|127\.0\.0\.1):\d{1,5})$/;

const linesOf = (text: string) => [
  ...new Set(text.split(/\s+/).flatMap((line) => (line === '' ? [] : [line.toLowerCase()]))),
];

const valuesOf = (portal: Portal | null, application: Application) => ({
  name: portal?.name ?? application.name,
  colour: portal?.colour ?? '',
  origins: portal?.origins.join('\n') ?? '',
});

/** How customers see the webhooks of a product, with the logo of the application. */
export function PortalSection({ application }: { application: Application }) {
  const { eventTypes, portal } = useAllText();
  const { settings } = portal;
  const query = useQuery({
    queryKey: queryKeys.portals,
    queryFn: ({ signal }) => portals.listPortals({ signal }),
  });
  const [chosen, choose] = useState<string>();
  const show = ({ data: products }: Portals) => {
    const product = products.find(({ namespace }) => namespace === chosen) ?? products[0];
    if (product === undefined) {
      return (
        <Text size="sm">
          {settings.none}{' '}
          <TextLink to="/developers/event-types" underline="always" inherit>
            {eventTypes.title}
          </TextLink>
        </Text>
      );
    }
    return (
      <Stack maw={560}>
        <NativeSelect
          label={settings.product}
          value={product.namespace}
          data={products.map(({ namespace }) => namespace)}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        <PortalForm key={product.namespace} {...product} application={application} />
      </Stack>
    );
  };
  return (
    <Section title={settings.title} hint={settings.hint}>
      <Loaded query={query} skeleton={<Skeleton h={440} />}>
        {show}
      </Loaded>
    </Section>
  );
}

function PortalForm({
  namespace,
  portal,
  application,
}: {
  namespace: string;
  portal: Portal | null;
  application: Application;
}) {
  const { settings } = useAllText().portal;
  const toast = useToast();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: valuesOf(portal, application),
    validate: {
      colour: (colour) =>
        colour.trim() === '' || COLOUR.test(colour.trim().toLowerCase())
          ? null
          : settings.colourInvalid,
      origins: (text) => {
        const lines = linesOf(text);
        const isRight = lines.length <= ORIGINS_MAX && lines.every((line) => ORIGIN.test(line));
        return isRight ? null : settings.originsInvalid;
      },
    },
  });
  useFollowing(form, valuesOf(portal, application));
  const { failure, isPending, onSubmit } = useSubmission(form, async (values) => {
    const changed = changedValues(form, values);
    const { data } = await portals.listPortals();
    const saved = data.find((product) => product.namespace === namespace)?.portal ?? null;
    const { name, colour, origins } = {
      ...valuesOf(saved, application),
      ...changed,
    };
    await portals.putPortal(namespace, {
      name: name.trim(),
      colour: colour.trim().toLowerCase() || null,
      logo: application.logo,
      origins: linesOf(origins),
    });
    form.resetDirty(values);
    void queryClient.invalidateQueries({ queryKey: queryKeys.portals });
    toast(settings.saved);
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <UnsavedChanges when={form.isDirty() && !isPending} />
      <Stack align="flex-start">
        <FormError message={failure} />
        <TextInput
          key={form.key('name')}
          {...form.getInputProps('name')}
          label={settings.name}
          maxLength={100}
          autoComplete="off"
          w="100%"
        />
        <TextInput
          key={form.key('colour')}
          {...form.getInputProps('colour')}
          label={settings.colour}
          description={settings.colourHint}
          autoComplete="off"
          spellCheck={false}
          w="100%"
        />
        <Textarea
          key={form.key('origins')}
          {...form.getInputProps('origins')}
          label={settings.origins}
          description={settings.originsHint}
          autosize
          minRows={2}
          spellCheck={false}
          w="100%"
        />
        <Button type="submit" loading={isPending}>
          {settings.save}
        </Button>
      </Stack>
    </form>
  );
}
