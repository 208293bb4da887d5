import { createPortals } from '@atrium/client/portals';
import type { OpenedPortal } from '@atrium/client';
import {
  colorsTuple,
  createTheme,
  defaultVariantColorsResolver,
  MantineProvider,
  mergeThemeOverrides,
} from '@mantine/core';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { styleNonce } from '../platform/service-urls.ts';
import { portalAccess } from '../platform/portal.ts';
import { atrium } from '../session/atrium.ts';
import { loadPreferred, TextsProvider } from '../texts/texts.tsx';
import { theme } from '../ui/theme.ts';
import { PortalApp } from './portal-app.tsx';

/** Where white and black text have the same contrast. */
const LUMINANCE_THRESHOLD = 0.179;

/** Shows the webhooks of one product to whoever has a link, with no account and no session. */
export async function startPortal(container: HTMLElement): Promise<void> {
  setNonce(styleNonce);
  const token = takeToken();
  const [initial, opened] = await Promise.all([loadPreferred(), open(token)]);
  if (opened !== null) portalAccess.token = opened.accessToken;
  const portal = opened?.portal ?? null;
  const root = createRoot(container);
  const show = (hasEnded: boolean) =>
    root.render(
      <StrictMode>
        <MantineProvider
          theme={themeOf(portal?.colour ?? null)}
          defaultColorScheme="auto"
          getStyleNonce={() => styleNonce}
        >
          <TextsProvider initial={initial}>
            <PortalApp portal={hasEnded ? null : portal} />
          </TextsProvider>
        </MantineProvider>
      </StrictMode>,
    );
  onRefused(() => show(true));
  show(false);
}

/** Takes the token of the link out of the URL; null when the page was reloaded. */
function takeToken(): string | null {
  const found = /^\/portal\/(ptl_[\w-]+)$/.exec(window.location.pathname)?.[1] ?? null;
  if (found !== null) window.history.replaceState(null, '', '/portal/webhooks');
  return found;
}

/** Here and not where requests are made, whose script visitors load. */
function onRefused(end: () => void): void {
  const send = window.fetch;
  window.fetch = async (...request) => {
    const response = await send(...request);
    if (response.status === 401) end();
    return response;
  };
}

/** Null when the link has ended. */
async function open(token: string | null): Promise<OpenedPortal | null> {
  if (token === null) return null;
  return createPortals(atrium)
    .openPortal({ token })
    .catch(() => null);
}

/** The colour of the product is that of main buttons; as text it might not be readable. */
function themeOf(colour: string | null) {
  if (colour === null) return theme;
  return mergeThemeOverrides(
    theme,
    createTheme({
      colors: { product: colorsTuple(colour) },
      autoContrast: true,
      luminanceThreshold: LUMINANCE_THRESHOLD,
      variantColorResolver: (input) => {
        const isMain = input.variant === 'filled' && input.color === theme.primaryColor;
        return defaultVariantColorsResolver(isMain ? { ...input, color: 'product' } : input);
      },
    }),
  );
}
