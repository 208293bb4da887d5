import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@atrium/local-stack/platform';
import { findFreePortBase } from '@atrium/local-stack/ports';
import { launchBrowser } from '@atrium/testkit/browser';
import type { Figures } from '../figures.ts';
import { type Bench, type Parts, runParts } from '../parts.ts';
import { targetTable } from '../target-table.ts';
import { createAccount, createNotes, logIn, post } from './account.ts';
import { measureFilters } from './deliveries.ts';
import { measureEditor } from './editor.ts';
import { type EmptyPage, serveEmptyPage } from './empty-page.ts';
import { measureRows } from './rows.ts';
import { EMPTY_PAGE, TARGETS, BASELINES } from './targets.ts';
import { visit } from './visit.ts';

interface Environment extends AsyncDisposable {
  platform: Platform;
  webUrl: string;
  empty: EmptyPage;
  browser: Awaited<ReturnType<typeof launchBrowser>>;
}

/** As many as a workspace of the free plan may have. */
const NOTE_COUNT = 100;
const CONTENT = '## Heading\n\nSome **bold** text.\n\n'.repeat(20);

export const WEB_PARTS: Parts<Environment> = {
  baselines: visitEmptyPage,
  login: ({ browser, webUrl }: Environment) => visit(browser, `${webUrl}/login`),
  'login-in-german': ({ browser, webUrl }: Environment) =>
    visit(browser, `${webUrl}/login`, { locale: 'de' }),
  signup: ({ browser, webUrl }: Environment) => visit(browser, `${webUrl}/signup`),
  start: ({ browser, webUrl }: Environment) => visit(browser, webUrl),
  home: (environment: Environment) => visitNotes(environment, () => '/'),
  notes: (environment: Environment) => visitNotes(environment, (id) => `/workspaces/${id}`),
  'public-note': visitPublicNote,
  editor: ({ platform, browser }: Environment) => measureEditor(platform, browser),
  deliveries: ({ platform }: Environment) => measureFilters(platform),
  'note-rows': (environment: Environment) => measureRows(environment, 'notes'),
  'link-rows': (environment: Environment) => measureRows(environment, 'links'),
  'delivery-rows': (environment: Environment) => measureRows(environment, 'deliveries'),
};

/**
 * Measures what a first visit of a page costs (script, styles, largest contentful paint, layout shift)
 * beside an empty page, how fast the editor shows a key, how fast the filters of deliveries answer, and how
 * smoothly long lists are scrolled, beside rows without script.
 */
export const benchWeb: Bench = async (runs, only, keep) => {
  const medians = await runParts(WEB_PARTS, { runs, only, keep, open: openEnvironment });
  const table = targetTable(medians, TARGETS, BASELINES);
  process.stdout.write(`\n${table}\n`);
};

async function visitEmptyPage({ browser, empty }: Environment): Promise<Figures> {
  const figures = await visit(browser, empty.url);
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [`${EMPTY_PAGE}: ${name}`, value]),
  );
}

async function visitNotes(
  { platform, browser, webUrl }: Environment,
  pathOf: (workspaceId: string) => string,
): Promise<Figures> {
  const account = await createAccount(platform);
  const contents = Array.from({ length: NOTE_COUNT }, () => CONTENT);
  const { workspaceId } = await createNotes(platform, account, contents);
  const storageState = await logIn(browser, webUrl, account);
  return visit(browser, `${webUrl}${pathOf(workspaceId)}`, { storageState });
}

async function visitPublicNote({ platform, browser }: Environment): Promise<Figures> {
  const account = await createAccount(platform);
  const { noteIds } = await createNotes(platform, account, [CONTENT]);
  const share = `${platform.urls.notes}/api/notes/${noteIds[0] ?? ''}/share`;
  const { url } = await post(share, {}, account.token);
  return visit(browser, url);
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
