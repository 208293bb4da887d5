import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { BusyButton } from './busy-button.tsx';

/** Warm greys, for both schemes. */
const gray: MantineColorsTuple = [
  '#faf9f8',
  '#f4f3f1',
  '#edebe8',
  '#e2dfdb',
  '#d1cdc8',
  '#aaa49d',
  '#746d66',
  '#57514b',
  '#3a3530',
  '#211e1b',
];
const dark: MantineColorsTuple = [
  '#dcd9d5',
  '#b5b0aa',
  '#918b84',
  '#6e6862',
  '#423e3a',
  '#363230',
  '#2b2826',
  '#1f1d1b',
  '#191716',
  '#121110',
];

/** One accent colour and warm greys; text and controls have a contrast of at least 4.5:1. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  colors: { gray, dark },
  black: '#211e1b',
  defaultRadius: 'md',
  radius: { md: '6px' },
  fontSizes: { sm: '13px', md: '14px', lg: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Open Sans", sans-serif',
  components: {
    Badge: { defaultProps: { color: 'gray', variant: 'light' } },
    Button: { defaultProps: { component: BusyButton } },
    Menu: { defaultProps: { transitionProps: { duration: 120, exitDuration: 0 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 160 } } },
    Modal: { defaultProps: { transitionProps: { duration: 160 } } },
    // They head a dialog, not the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '15px', lineHeight: '24px' },
      h4: { fontSize: '14px', lineHeight: '20px' },
    },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-4)',
    '--mantine-color-indigo-light-hover': 'var(--mantine-color-indigo-1)',
    '--mantine-color-indigo-light-color': 'var(--mantine-color-indigo-9)',
    '--mantine-color-gray-light-color': 'var(--mantine-color-gray-7)',
    '--atrium-surface': 'var(--mantine-color-gray-0)',
    '--atrium-border': 'var(--mantine-color-gray-3)',
    '--atrium-hover': 'var(--mantine-color-gray-1)',
    '--atrium-chosen': 'var(--mantine-color-gray-2)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-red-light-color': 'var(--mantine-color-red-4)',
    '--mantine-color-gray-light-color': 'var(--mantine-color-dark-1)',
    '--atrium-surface': 'var(--mantine-color-dark-8)',
    '--atrium-border': 'var(--mantine-color-dark-5)',
    '--atrium-hover': 'var(--mantine-color-dark-6)',
    '--atrium-chosen': 'var(--mantine-color-dark-5)',
  },
});
