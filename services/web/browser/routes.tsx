import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  useParams,
} from '@tanstack/react-router';
import { type FunctionComponent, Suspense } from 'react';
import { accountPages, deletedAccountPages } from './account/pages.ts';
import { authorizePage } from './authorize/pages.ts';
import { deliveryPages } from './deliveries/pages.ts';
import { webhookPage } from './webhook-page/pages.ts';
import { developerPages } from './developers/pages.ts';
import { deviceLoginPages } from './device-login/pages.ts';
import { eventPages } from './events/pages.ts';
import { ErrorPage } from './ui/page/error-page.tsx';
import { LatePage } from './ui/late/late-page.tsx';
import { lazyPart } from './ui/lazy-part.tsx';
import { NotFound } from './ui/page/not-found.tsx';
import type { Page, SignedInPage } from './ui/page/page.ts';
import { PageTitle } from './ui/page/page-title.tsx';
import { LateFrame } from './shell/late-frame.tsx';
import { SignedInFrame, SignedInPlainFrame } from './shell/lazy-frame.tsx';
import { PlainFrame } from './shell/plain-frame.tsx';
import { signInPages } from './sign-in/pages.ts';
import { linkPages } from './links/pages.ts';
import { notesPages } from './notes/pages.ts';
import { operatorPages } from './operator/pages.ts';
import { StartOrHome } from './shell/start-or-home.tsx';
import { mayBeSignedIn } from './session/atrium.ts';
import { type AllTexts, loadAllText, useAllText } from './texts/signed-in-texts.tsx';
import { useText } from './texts/texts.tsx';
import { webhookPages } from './webhooks/pages.ts';

/** Pages for visitors, and pages that need a session. */
const PLAIN_PAGES: readonly Page[] = [...signInPages, ...deletedAccountPages];
const SIGNED_IN_PAGES: readonly SignedInPage[] = [
  ...linkPages,
  ...notesPages,
  ...webhookPages,
  webhookPage,
  ...deliveryPages,
  ...eventPages,
  ...accountPages,
  ...deviceLoginPages,
  ...developerPages,
];

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => (
    <PlainFrame>
      <NotFound />
    </PlainFrame>
  ),
});

const plain = createRoute({
  getParentRoute: () => root,
  id: 'plain',
  component: () => (
    <PlainFrame>
      <Outlet />
    </PlainFrame>
  ),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedInFrame,
  pendingComponent: LateFrame,
});

const signedInPlain = createRoute({
  getParentRoute: () => root,
  id: 'signed-in-plain',
  component: SignedInPlainFrame,
  pendingComponent: LatePage,
});

const operators = createRoute({
  getParentRoute: () => signedIn,
  id: 'operators',
  component: lazyPart(async () => (await import('./operator/operators-only.tsx')).OperatorsOnly),
  pendingComponent: LatePage,
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: StartOrHome,
  pendingComponent: LateFrame,
});

/**
 * Loads a page as soon as its URL is known. The first page is shown once it is there; later the frame does
 * not wait.
 */
function preloaded(component: FunctionComponent, load: () => Promise<void>) {
  const preload = (): Promise<void> | undefined => {
    const loading = load();
    return router.state.resolvedLocation === undefined ? loading : undefined;
  };
  return { component: Object.assign(component, { preload }), pendingComponent: LatePage };
}

/** The frame stays, with the focus in it, while the script of a page is loaded: `Suspense` is below it. */
function toPlainRoute(page: Page) {
  const Content = lazyPart(page.load);
  const component = () => {
    const text = useText();
    return (
      <Suspense fallback={<LatePage />}>
        {page.title !== undefined && <PageTitle>{page.title(text)}</PageTitle>}
        <Content />
      </Suspense>
    );
  };
  const loading = preloaded(component, Content.preload);
  return createRoute({ getParentRoute: () => plain, path: page.path, ...loading });
}

/** The pages of the notes name themselves, without the texts of the others. */
function SignedInTitle({ title }: { title: (text: AllTexts) => string }) {
  return <PageTitle>{title(useAllText())}</PageTitle>;
}

function toSignedInRoute(
  parent: typeof signedIn | typeof signedInPlain | typeof operators,
  page: SignedInPage,
) {
  const Content = lazyPart<{ id: string }>(page.load);
  const { title } = page;
  const component = () => {
    const { id = '' } = useParams({ strict: false });
    return (
      <Suspense fallback={<LatePage />}>
        {title !== undefined && <SignedInTitle title={title} />}
        <Content id={id} />
      </Suspense>
    );
  };
  const loading = preloaded(component, async () => {
    if (mayBeSignedIn()) await Promise.allSettled([Content.preload(), title && loadAllText()]);
  });
  return createRoute({ getParentRoute: () => parent, path: page.path, ...loading });
}

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    plain.addChildren(PLAIN_PAGES.map(toPlainRoute)),
    signedInPlain.addChildren([toSignedInRoute(signedInPlain, authorizePage)]),
    signedIn.addChildren([
      ...SIGNED_IN_PAGES.map((page) => toSignedInRoute(signedIn, page)),
      operators.addChildren(operatorPages.map((page) => toSignedInRoute(operators, page))),
    ]),
  ]),
  defaultErrorComponent: ErrorPage,
  // Typing in a filter keeps its URL; going back finds the page as it was left.
  scrollRestoration: true,
  // A page is shown as soon as its script is there.
  defaultPendingMinMs: 0,
});
