import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';

/** What was typed, without the rest: that may have changed elsewhere in the meantime. */
export function changedValues<Values extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<Values>, 'isDirty'>,
  values: Values,
): Partial<Values> {
  const changed: Partial<Values> = { ...values };
  for (const field in changed) if (!form.isDirty(field)) delete changed[field];
  return changed;
}

/** Fields that nobody has changed show what is saved, also when that changes elsewhere; what is typed stays. */
export function useFollowing<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  saved: Values,
): void {
  const state = JSON.stringify(saved);
  const follow = useEffectEvent(() => {
    if (state === JSON.stringify(form.getInitialValues())) return;
    const typed = changedValues(form, form.getValues());
    form.resetDirty(saved);
    form.setValues({ ...saved, ...typed });
  });
  useEffect(() => follow(), [state]);
}
