import { Alert, Button, Stack } from '@mantine/core';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { useText } from '../texts/texts.tsx';
import classes from './loading.module.css';

/**
 * A part of a page whose script is loaded when it is shown for the first time. When it cannot be loaded,
 * because the network is away or the server has had no such file for a while, what else the page shows
 * stays, and the part's place offers to load the page anew.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: ReloadOffer }),
    ),
  );
}

function ReloadOffer() {
  const { errors } = useText();
  return (
    <Alert variant="default" role="alert" title={errors.partTitle} className={classes.offer ?? ''}>
      <Stack gap="sm" align="flex-start">
        {errors.part}
        <Button variant="default" size="xs" onClick={() => window.location.reload()}>
          {errors.reload}
        </Button>
      </Stack>
    </Alert>
  );
}
