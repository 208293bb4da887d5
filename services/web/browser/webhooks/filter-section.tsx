import type { Subscription } from '@atrium/client';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { SegmentedChoice } from '../ui/controls/segmented-choice.tsx';
import { UnsavedChanges } from '../ui/dialogs/unsaved-changes.tsx';
import { errorText } from '../ui/error-text.ts';
import { FormError } from '../ui/forms/form-errors.tsx';
import { useFollowing } from '../ui/forms/use-following.ts';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { Section } from '../ui/page/section.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { useWebhookChanged } from './use-webhooks.ts';
import { FilterPreview } from './filter/filter-preview.tsx';
import { FilterRows } from './filter/filter-rows.tsx';
import {
  currentFilter,
  filterChecks,
  type FilterValues,
  otherView,
  valuesOf,
} from './filter/values.ts';
import classes from './filter/filter.module.css';

/** Which events a webhook gets, built from conditions or written as JSON, and tried before it is saved. */
export function FilterSection({ webhook }: { webhook: Subscription }) {
  const text = useAllText();
  const { filters } = text;
  const { locale } = useTranslation();
  const toast = useToast();
  const webhookChanged = useWebhookChanged();
  const form = useForm<FilterValues>({
    initialValues: valuesOf(webhook.filter),
    validate: filterChecks(filters),
  });
  const values = form.getValues();
  const saved = valuesOf(webhook.filter);
  const filter = currentFilter(values);
  // The same filter in the other view is no change.
  const isChanged =
    JSON.stringify(filter) !== JSON.stringify(currentFilter(form.getInitialValues()));
  const followed = values.view === saved.view ? saved : (otherView(saved) ?? saved);
  // What is typed stays in view, also when what was saved elsewhere cannot be shown there.
  useFollowing(form, isChanged ? { ...followed, view: values.view } : followed);
  const preview = useMutation({
    mutationFn: (filter: object) =>
      atrium.webhooks.previewWebhookFilter(webhook.id, { filter: { ...filter } }),
  });
  const { failure, isPending, onSubmit } = useSubmission(
    form,
    async (current) => {
      if (isChanged) {
        const change = { filter: currentFilter(current) ?? null };
        const changed = await atrium.webhooks.updateWebhook(webhook.id, change);
        form.resetDirty(current);
        webhookChanged(changed);
      }
      toast(filters.saved);
    },
    (error) => errorText(error, text),
  );
  const tryIt = () => {
    if (!form.validate().hasErrors && filter) preview.mutate(filter);
  };
  const show = (view: FilterValues['view']) => {
    const shown = view === values.view ? values : otherView(values);
    if (shown !== undefined) form.setValues(shown);
    else form.setFieldError('json', filter === undefined ? filters.jsonInvalid : filters.onlyJson);
  };
  const isTried = JSON.stringify(preview.variables) === JSON.stringify(filter);
  const isCounted = webhook.filter !== null && webhook.unmatchedCount > 0;
  const count = new Intl.NumberFormat(locale).format(webhook.unmatchedCount);
  return (
    <Section title={filters.title} hint={filters.hint}>
      <UnsavedChanges when={isChanged && !isPending} />
      <form noValidate className={classes.form} onSubmit={onSubmit}>
        <Stack>
          {isCounted && <Text size="sm">{filters.unmatched(count)}</Text>}
          <FormError message={failure} />
          <Group>
            <SegmentedChoice
              label={filters.view}
              value={values.view}
              options={[
                { value: 'rows', label: filters.rows },
                { value: 'json', label: filters.json },
              ]}
              onChange={show}
            />
          </Group>
          {values.view === 'rows' ? (
            <FilterRows form={form} />
          ) : (
            <Textarea
              {...form.getInputProps('json')}
              label={filters.json}
              description={filters.jsonHint}
              classNames={{ input: classes.json ?? '' }}
              autosize
              minRows={6}
              maxRows={20}
              spellCheck={false}
            />
          )}
          <Group>
            <Button type="submit" loading={isPending}>
              {filters.save}
            </Button>
            <Button
              variant="default"
              loading={preview.isPending}
              disabled={filter === null}
              onClick={tryIt}
            >
              {filters.tryIt}
            </Button>
          </Group>
          <FormError message={isTried && preview.isError ? errorText(preview.error, text) : null} />
          <div role="status">
            {isTried && preview.data !== undefined && <FilterPreview preview={preview.data} />}
          </div>
        </Stack>
      </form>
    </Section>
  );
}
