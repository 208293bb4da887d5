import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';

/** Fields that nobody has changed show what is saved, also when that changes elsewhere; what is typed stays. */
export function useFollowing<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  saved: Values,
): void {
  const state = JSON.stringify(saved);
  const follow = useEffectEvent(() => {
    if (state === JSON.stringify(form.getInitialValues())) return;
    const typed = Object.entries(form.getValues()).filter(([name]) => form.isDirty(name));
    form.resetDirty(saved);
    form.setValues({ ...saved, ...Object.fromEntries(typed) });
  });
  useEffect(() => follow(), [state]);
}
