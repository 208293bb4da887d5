import { AtriumError, type OpenedPortal } from '@atrium/client';
import { createPortals } from '@atrium/client/portals';
import {
  colorsTuple,
  createTheme,
  defaultVariantColorsResolver,
  MantineProvider,
  mergeThemeOverrides,
} from '@mantine/core';
import { setNonce } from 'get-nonce';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { styleNonce } from '../platform/service-urls.ts';
import { portalAccess } from '../platform/portal.ts';
import { atrium } from '../session/atrium.ts';
import { loadPreferred, TextsProvider } from '../texts/texts.tsx';
import { ErrorPage } from '../ui/page/error-page.tsx';
import { theme } from '../ui/theme.ts';
import { PortalApp } from './portal-app.tsx';
import classes from './portal.module.css';

/** Where white and black text have the same contrast. */
const LUMINANCE_THRESHOLD = 0.179;

/** Shows the webhooks of one product to whoever has a link, with no account and no session. */
export async function startPortal(container: HTMLElement): Promise<void> {
  setNonce(styleNonce);
  const token = takeToken();
  const texts = loadPreferred();
  const root = createRoot(container);
  const show = async (colour: string | null, content: ReactNode) => {
    const initial = await texts;
    root.render(
      <StrictMode>
        <MantineProvider
          theme={themeOf(colour)}
          defaultColorScheme="auto"
          getStyleNonce={() => styleNonce}
        >
          <TextsProvider initial={initial}>{content}</TextsProvider>
        </MantineProvider>
      </StrictMode>,
    );
  };
  const start = async (): Promise<void> => {
    try {
      const opened = await open(token);
      if (opened !== null) portalAccess.token = opened.accessToken;
      const portal = opened?.portal ?? null;
      const colour = portal?.colour ?? null;
      onRefused(() => void show(colour, <PortalApp portal={null} />));
      await show(colour, <PortalApp portal={portal} />);
    } catch (error) {
      const page = <ErrorPage error={error} tryAgain={start} />;
      await show(null, <main className={classes.main}>{page}</main>);
    }
  };
  await start();
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
  try {
    return await createPortals(atrium).openPortal({ token });
  } catch (error) {
    if (error instanceof AtriumError && [404, 422].includes(error.status)) return null;
    throw error;
  }
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
      // A button with neither a colour nor a variant of its own takes no background from the resolver.
      components: { Button: { defaultProps: { variant: 'filled' } } },
      variantColorResolver: (input) => {
        const isMain = input.variant === 'filled' && input.color === theme.primaryColor;
        return defaultVariantColorsResolver(isMain ? { ...input, color: 'product' } : input);
      },
    }),
  );
}
