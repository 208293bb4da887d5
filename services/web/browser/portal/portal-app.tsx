import type { Portal } from '@atrium/client';
import { Group, Text, Title } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
  useParams,
} from '@tanstack/react-router';
import { type FunctionComponent, type ReactNode, Suspense, useState } from 'react';
import { DeliveryPage } from '../deliveries/delivery-page.tsx';
import { createQueryClient } from '../session/create-query-client.ts';
import { MainContent, SkipLink } from '../shell/main-content.tsx';
import { Preferences } from '../shell/preferences.tsx';
import { SignedInTextsProvider, useAllText } from '../texts/signed-in-texts.tsx';
import { ApplicationLogo } from '../ui/controls/account-avatar.tsx';
import { LatePage } from '../ui/late/late-page.tsx';
import { ErrorPage } from '../ui/page/error-page.tsx';
import { NotFound } from '../ui/page/not-found.tsx';
import { ToastProvider } from '../ui/toasts/toasts.tsx';
import { VerificationPage } from '../webhooks/verification/verification-page.tsx';
import { PortalWebhookPage } from './portal-webhook-page.tsx';
import { PortalWebhooksPage } from './portal-webhooks-page.tsx';
import classes from './portal.module.css';

/** The pages of a portal have the URLs of those with an account, below `/portal`. */
function createPortalRouter(portal: Portal) {
  const root = createRootRoute({
    component: () => (
      <Frame portal={portal}>
        <Outlet />
      </Frame>
    ),
    notFoundComponent: NotFound,
  });
  const page = (path: string, Content: FunctionComponent<{ id: string }>) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: () => {
        const { id = '' } = useParams({ strict: false });
        return <Content key={id} id={id} />;
      },
    });
  const Webhooks = () => <PortalWebhooksPage name={portal.name} />;
  const Verification = () => <VerificationPage />;
  return createRouter({
    basepath: '/portal',
    routeTree: root.addChildren([
      page('/webhooks', Webhooks),
      page('/webhooks/verify', Verification),
      page('/webhooks/$id', PortalWebhookPage),
      page('/deliveries', Webhooks),
      page('/deliveries/$id', DeliveryPage),
    ]),
    defaultErrorComponent: ErrorPage,
    scrollRestoration: true,
  });
}

/** @param portal null once its link has ended */
export function PortalApp({ portal }: { portal: Portal | null }) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback={<LatePage />}>
        <SignedInTextsProvider>
          {portal === null ? <Ended /> : <Pages portal={portal} />}
        </SignedInTextsProvider>
      </Suspense>
    </QueryClientProvider>
  );
}

function Pages({ portal }: { portal: Portal }) {
  const [router] = useState(() => createPortalRouter(portal));
  return (
    <ToastProvider>
      <RouterProvider router={router} />
    </ToastProvider>
  );
}

function Frame({ portal, children }: { portal: Portal; children: ReactNode }) {
  const { name } = portal;
  return (
    <div className={classes.frame}>
      <SkipLink />
      <header className={classes.bar}>
        <Group gap="sm" wrap="nowrap">
          <ApplicationLogo application={portal} size={28} />
          <Text fw={600}>{name}</Text>
        </Group>
        <Preferences />
      </header>
      <MainContent className={classes.main ?? ''}>
        <Suspense fallback={<LatePage />}>{children}</Suspense>
      </MainContent>
    </div>
  );
}

function Ended() {
  const { portal } = useAllText();
  return (
    <main className={classes.main}>
      <Title order={1}>{portal.ended}</Title>
      <Text c="dimmed">{portal.endedWhy}</Text>
    </main>
  );
}
