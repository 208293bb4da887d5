import type { Database } from '@atrium/service-kit/database';
import { createIdempotency } from '@atrium/service-kit/idempotency';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import { createServer, type Server } from '@atrium/service-kit/server';
import type { ProductService } from '@atrium/service-kit/service';
import { statusRoute } from '@atrium/service-kit/status';
import { createAccountGate } from '@atrium/service-kit/account-gate';
import { createAccessChecks } from './access/checks.ts';
import { activityRoutes } from './activity/routes.ts';
import { attachmentRoutes } from './attachments/routes.ts';
import { createAttachmentStore } from './attachments/store.ts';
import { backlinkRoutes } from './backlinks/routes.ts';
import { createBacklinkStore } from './backlinks/store.ts';
import { favouriteRoutes } from './favourites/routes.ts';
import { createFavouriteStore } from './favourites/store.ts';
import { importRoutes } from './import/routes.ts';
import { createImportStore } from './import/store.ts';
import type { FileStorage } from './files/storage.ts';
import { createTransfers, UPLOAD_TIMEOUT_MS } from './files/transfers.ts';
import type { PrismaClient } from './generated/client.ts';
import { acceptanceRoutes, receivedInvitationRoute } from './invitations/acceptance-routes.ts';
import type { ReadEmailAddress } from './invitations/email-address.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { createMemberStore } from './members/store.ts';
import { createNoteListStore } from './notes/list-store.ts';
import { movingRoutes } from './moving/routes.ts';
import { namingRoute } from './notes/naming-route.ts';
import { noteRoutes } from './notes/routes.ts';
import { createNoteRepresentation } from './notes/representation.ts';
import { createNoteStore } from './notes/store.ts';
import { NoteStreams } from './presence/note-streams.ts';
import type { PresenceRegistry } from './presence/registry.ts';
import { presenceRoutes } from './presence/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { sharedNoteRoutes } from './sharing/public-routes.ts';
import { createReadingStore } from './sharing/reading-store.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { createSharedNotes } from './sharing/shared-notes.ts';
import { createShareStore } from './sharing/store.ts';
import { storageUseRoutes } from './storage-use/routes.ts';
import { tagRoutes } from './tags/routes.ts';
import { createTagStore } from './tags/store.ts';
import { templateRoutes } from './templates/routes.ts';
import { createTemplateStore } from './templates/store.ts';
import { createBranchTurns } from './tree/branch-turns.ts';
import { treeRoutes } from './tree/routes.ts';
import { createTreeStore } from './tree/store.ts';
import { trashRoutes } from './trash/routes.ts';
import { createTrashStore } from './trash/store.ts';
import { versionRoutes } from './versions/routes.ts';
import { createVersionStore } from './versions/store.ts';
import { workerRoutes } from './worker/routes.ts';
import { workspaceRoutes } from './workspaces/routes.ts';
import { createWorkspaceStore } from './workspaces/store.ts';

export interface NotesDeps extends ProductService<PrismaClient> {
  /** A few connections with a short statement timeout, so that searches delay nothing else. */
  searchDatabase: Database;
  storage: FileStorage;
  presence: PresenceRegistry;
  /** Encrypt what only auth may read of a message to it. */
  messageKeys: KeyRing;
  /** For the passwords of public notes. */
  hasher: PasswordHasher;
  webUrl: string;
  readEmailAddress: ReadEmailAddress;
  /** Where the worker answers. */
  workerUrl: string;
}

export async function buildApp(deps: NotesDeps): Promise<Server> {
  const { database, authenticator, storage, rateLimiter, hasher, clockMs } = deps;
  const server = await createServer({
    service: 'notes',
    logger: deps.logger,
    trustProxy: deps.trustProxy,
    corsOrigins: deps.corsOrigins,
    ready: deps.ready,
    metrics: deps.metrics,
    tracing: deps.tracing,
    rateLimiter,
    onChange: deps.replica.onChange,
    requestTimeoutMs: UPLOAD_TIMEOUT_MS,
  });

  const sharedUrl = (token: string) => `${deps.webUrl}/s/${token}`;
  const idempotency = createIdempotency({ database, rateLimiter });
  const access = createAccessChecks(database);
  const notes = createNoteStore(database);
  const versions = createVersionStore(database);
  const workspaces = createWorkspaceStore(database);
  const representation = createNoteRepresentation(sharedUrl);
  const attachments = createAttachmentStore(database);

  const transfers = createTransfers();

  await server.register(async (api) => {
    requireAccessToken(api, authenticator);
    idempotency.acceptKeys(api);
    await workspaceRoutes(api, {
      workspaces,
      access,
      idempotency,
    });
    // They hold a connection for long, and what they lock makes others wait.
    const gate = createAccountGate();
    const turns = createBranchTurns(database, gate);
    await noteRoutes(api, {
      notes,
      lists: createNoteListStore(database),
      versions,
      access,
      idempotency,
      representation,
      turns,
      saves: createAccountGate(),
    });
    await favouriteRoutes(api, { favourites: createFavouriteStore(database), representation });
    await tagRoutes(api, { tags: createTagStore(database), access, gate });
    await movingRoutes(api, { database, notes, access, idempotency, representation, gate });
    const searches = createAccountGate();
    await backlinkRoutes(api, {
      backlinks: createBacklinkStore(database),
      access,
      gate: searches,
    });
    await treeRoutes(api, { database, tree: createTreeStore(database), access });
    await templateRoutes(api, { templates: createTemplateStore(database), access, representation });
    const trash = createTrashStore(database, sharedUrl);
    await trashRoutes(api, { trash, access, representation, turns, gate });
    await importRoutes(api, { imports: createImportStore(database), access });
    await attachmentRoutes(api, { attachments, storage, transfers, access });
    await workerRoutes(api, deps.workerUrl);
    await storageUseRoutes(api, { sql: database });
    await sharingRoutes(api, {
      shares: createShareStore(database, sharedUrl),
      access,
      hasher,
      // Apart: a password does not wait for thousands of notes.
      gate: createAccountGate(),
      clockMs,
      sharedUrl,
    });
    await versionRoutes(api, { versions, access });
    await namingRoute(api, { versions, access });
    await memberRoutes(api, { members: createMemberStore(database), access, database });
    await invitationRoutes(api, {
      database,
      access,
      idempotency,
      rateLimiter,
      messageKeys: deps.messageKeys,
    });
    await activityRoutes(api, { replica: deps.replica, access });
    const streams = new NoteStreams({ ...deps, registry: deps.presence });
    await presenceRoutes(api, { streams, access });
    const { readEmailAddress } = deps;
    await acceptanceRoutes(api, { database, workspaces, readEmailAddress });
    await searchRoutes(api, { sql: deps.searchDatabase, gate: searches });
  });
  const sharedNotes = createSharedNotes({
    store: createReadingStore(database),
    hasher,
    rateLimiter,
    clockMs,
  });
  await server.register(sharedNoteRoutes, { sharedNotes, storage, transfers });
  await receivedInvitationRoute(server, { database });
  await statusRoute(server, { service: 'notes', operationId: 'getNotesStatus' }, deps);
  return server;
}
