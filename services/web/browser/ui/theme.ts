import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { BusyButton } from './busy-button.tsx';

/** One accent colour and neutral greys; text and controls have a contrast of at least 4.5:1. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Open Sans", sans-serif',
  components: {
    Button: { defaultProps: { component: BusyButton } },
    // They head a dialog, not the page.
    Menu: { defaultProps: { transitionProps: { duration: 120, exitDuration: 0 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 160 } } },
    Modal: { defaultProps: { transitionProps: { duration: 160 } } },
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' } } },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-indigo-light-hover': 'var(--mantine-color-indigo-1)',
    '--mantine-color-indigo-light-color': 'var(--mantine-color-indigo-9)',
    '--atrium-surface': 'var(--mantine-color-gray-0)',
    '--atrium-border': 'var(--mantine-color-gray-3)',
    '--atrium-hover': 'var(--mantine-color-gray-2)',
    '--atrium-chosen': 'var(--mantine-color-gray-3)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-red-light-color': 'var(--mantine-color-red-4)',
    '--atrium-surface': 'var(--mantine-color-dark-8)',
    '--atrium-border': 'var(--mantine-color-dark-4)',
    '--atrium-hover': 'var(--mantine-color-dark-6)',
    '--atrium-chosen': 'var(--mantine-color-dark-5)',
  },
});
