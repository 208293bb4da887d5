import { createTheme } from '@mantine/core';
import { BusyButton } from './busy-button.tsx';

/** One accent colour; the greys, and what is made of them, are in colours.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
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
