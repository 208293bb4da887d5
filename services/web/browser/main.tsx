import '@mantine/core/styles.css';
import './ui/base.css';
import './ui/colours.css';
import { AtriumProvider } from '@atrium/client/react';
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { serviceUrls, styleNonce } from './platform/service-urls.ts';
import { isPortal } from './platform/portal.ts';
import { theme } from './ui/theme.ts';
import { ToastProvider } from './ui/toasts/toasts.tsx';
import { takeEmailToken } from './sign-in/email-token.ts';
import { router } from './routes.tsx';
import { atrium } from './session/atrium.ts';
import { loadPreferred, TextsProvider } from './texts/texts.tsx';

async function main(container: HTMLElement): Promise<void> {
  const { origin, pathname, search, hash } = window.location;
  // The session's cookies belong to the site of the configured URL: 127.0.0.1 is not localhost.
  if (origin !== new URL(serviceUrls.web).origin) {
    window.location.replace(`${serviceUrls.web}${pathname}${search}${hash}`);
    return;
  }
  if (isPortal) {
    const { startPortal } = await import('./portal/start.tsx');
    await startPortal(container);
    return;
  }
  takeEmailToken(window.location, window.history);
  // For the styles with which a dialog keeps the page behind it from scrolling.
  setNonce(styleNonce);
  // So that the answer is on its way while scripts are loaded.
  atrium.session.start();
  const initial = await loadPreferred();
  createRoot(container).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
        <TextsProvider initial={initial}>
          <AtriumProvider atrium={atrium}>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </AtriumProvider>
        </TextsProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

const container = document.querySelector<HTMLElement>('#root');
if (container !== null) void main(container);
