import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@atrium/local-stack/platform';
import { findFreePortBase } from '@atrium/local-stack/ports';
import { launchBrowser } from '@atrium/testkit/browser';
import type { Figures } from '../figures.ts';
import { runParts } from '../parts.ts';
import { createAccount, createNotes, logIn, post } from './account.ts';
import { measureFilters } from './deliveries.ts';
import { measureEditor } from './editor.ts';
import { type EmptyPage, serveEmptyPage } from './empty-page.ts';
import { type Target, visit } from './visit.ts';

interface Environment extends AsyncDisposable {
  platform: Platform;
  webUrl: string;
  empty: EmptyPage;
  browser: Awaited<ReturnType<typeof launchBrowser>>;
}

const LOGIN: Target = { scriptKb: 150, lcpMs: 600 };
const NOTES: Target = { lcpMs: 800 };
const PUBLIC_NOTE: Target = { scriptKb: 0, lcpMs: 300 };
/** As many as a workspace of the free plan may have. */
const NOTE_COUNT = 100;
const CONTENT = '## Heading\n\nSome **bold** text.\n\n'.repeat(20);

/**
 * Measures what a first visit of a page costs (script, styles, largest contentful paint, layout shift)
 * beside an empty page, how fast the editor shows a key, and how fast the filters of deliveries answer.
 */
export function benchWeb(runs: number, only: string[]): Promise<Record<string, Figures>> {
  const parts = {
    yardsticks: ({ browser, empty }: Environment) => visit(browser, empty.url),
    login: ({ browser, webUrl }: Environment) =>
      visit(browser, `${webUrl}/login`, { target: LOGIN }),
    'login-in-german': ({ browser, webUrl }: Environment) =>
      visit(browser, `${webUrl}/login`, { target: LOGIN, locale: 'de' }),
    signup: ({ browser, webUrl }: Environment) => visit(browser, `${webUrl}/signup`),
    start: ({ browser, webUrl }: Environment) => visit(browser, webUrl),
    notes: visitNotes,
    'public-note': visitPublicNote,
    editor: ({ platform, browser }: Environment) => measureEditor(platform, browser),
    deliveries: ({ platform }: Environment) => measureFilters(platform),
  };
  return runParts(parts, { runs, only, open: openEnvironment });
}

async function visitNotes({ platform, browser, webUrl }: Environment): Promise<Figures> {
  const account = await createAccount(platform);
  const contents = Array.from({ length: NOTE_COUNT }, () => CONTENT);
  const { workspaceId } = await createNotes(platform, account, contents);
  const storageState = await logIn(browser, webUrl, account);
  const target = NOTES;
  return visit(browser, `${webUrl}/workspaces/${workspaceId}`, { storageState, target });
}

async function visitPublicNote({ platform, browser }: Environment): Promise<Figures> {
  const account = await createAccount(platform);
  const { noteIds } = await createNotes(platform, account, [CONTENT]);
  const share = `${platform.urls.notes}/api/notes/${noteIds[0] ?? ''}/share`;
  const { url } = await post(share, {}, account.token);
  return visit(browser, url, { target: PUBLIC_NOTE });
}

async function openEnvironment(): Promise<Environment> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const platform = started.use(
    await startPlatform({
      env: { PATH: process.env['PATH'] },
      portBase: await findFreePortBase(),
      dataDir,
      logs: () => undefined,
    }),
  );
  const browser = started.use(await launchBrowser());
  const empty = started.use(await serveEmptyPage());
  const stack = started.move();
  return {
    platform,
    webUrl: platform.urls.web,
    browser,
    empty,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
