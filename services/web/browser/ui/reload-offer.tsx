import { Alert, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../texts/texts.tsx';
import classes from './loading.module.css';

/** What is wrong with a part of a page, beside the rest of it, which stays as it is. */
export function ReloadOffer({ title, children }: { title: string; children: ReactNode }) {
  const { errors } = useText();
  return (
    <Alert variant="default" role="alert" title={title} className={classes.offer ?? ''}>
      <Stack gap="sm" align="flex-start">
        {children}
        <Button variant="default" size="xs" onClick={() => window.location.reload()}>
          {errors.reload}
        </Button>
      </Stack>
    </Alert>
  );
}
