import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is as narrow as a phone's, as in the media queries of the styles. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
}
