import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { ChangeEventNamespaceBody, EventNamespace } from '../publishing-types.ts';
import type {
  AccountImport,
  ChangePlanBody,
  DeliveryQueues,
  EndpointFailures,
  FileContent,
  ListQuery,
  OperatorAccount,
  OperatorAccountsQuery,
  OperatorAction,
  ChangeFirstPartyBody,
  ReasonBody,
  RejectedEvent,
  ServiceStatus,
} from '../types.ts';

/** What operators see and do; to others every call fails with 404. */
export interface OperatorApi {
  /**
   * Finds accounts by id, or by how the email address or the username begins; the newest first.
   * @example
   * const { data } = await operator.listOperatorAccounts({ query: 'ada@' });
   */
  listOperatorAccounts: (
    query?: OperatorAccountsQuery,
    options?: CallOptions,
  ) => List<OperatorAccount>;
  /**
   * Returns an account.
   * @example
   * const { suspendedAt } = await operator.getOperatorAccount('usr_…');
   */
  getOperatorAccount: (id: string, options?: CallOptions) => Promise<OperatorAccount>;
  /**
   * Lists what operators did to an account, newest first.
   * @example
   * for await (const { kind, reason } of operator.listOperatorActions('usr_…')) {
   *   console.log(kind, reason);
   * }
   */
  listOperatorActions: (
    id: string,
    query?: ListQuery,
    options?: CallOptions,
  ) => List<OperatorAction>;
  /**
   * Changes the plan of an account.
   * @example
   * await operator.changeAccountPlan('usr_…', { plan: 'pro', reason: 'Paid by invoice 2026-014' });
   */
  changeAccountPlan: (
    id: string,
    body: ChangePlanBody,
    options?: CallOptions,
  ) => Promise<OperatorAccount>;
  /**
   * Ends the sessions of an account and refuses its logins.
   * @example
   * await operator.suspendAccount('usr_…', { reason: 'Links to malware' });
   */
  suspendAccount: (id: string, body: ReasonBody, options?: CallOptions) => Promise<OperatorAccount>;
  /**
   * Lets a suspended account log in again.
   * @example
   * await operator.unsuspendAccount('usr_…', { reason: 'The links are gone' });
   */
  unsuspendAccount: (
    id: string,
    body: ReasonBody,
    options?: CallOptions,
  ) => Promise<OperatorAccount>;
  /**
   * Ends all sessions of an account.
   * @example
   * await operator.signOutAccount('usr_…', { reason: 'A stolen laptop' });
   */
  signOutAccount: (id: string, body: ReasonBody, options?: CallOptions) => Promise<OperatorAccount>;
  /**
   * Says whether an application belongs to those who run Atrium: nobody is asked to allow it then.
   * @example
   * await operator.changeFirstParty('app_…', { isFirstParty: true, reason: 'Our mobile app' });
   */
  changeFirstParty: (
    id: string,
    body: ChangeFirstPartyBody,
    options?: CallOptions,
  ) => Promise<void>;
  /**
   * Begins to import accounts of another system: a file with a JSON object on each line.
   * @example
   * let { id, state } = await operator.importAccounts('accounts.ndjson', new Blob(['{"email":"ada@example.com"}']));
   * while (state !== 'completed' && state !== 'failed') {
   *   await new Promise((resolve) => setTimeout(resolve, 1000));
   *   ({ state } = await operator.getAccountImport(id));
   * }
   */
  importAccounts: (name: string, file: Blob, options?: CallOptions) => Promise<AccountImport>;
  /**
   * Lists the imports of accounts of the last 30 days.
   * @example
   * const { data: imports } = await operator.listAccountImports();
   */
  listAccountImports: (query?: ListQuery, options?: CallOptions) => List<AccountImport>;
  /**
   * Returns how far an import of accounts is.
   * @example
   * const { created, alreadyThere, rejected } = await operator.getAccountImport('imp_…');
   */
  getAccountImport: (id: string, options?: CallOptions) => Promise<AccountImport>;
  /**
   * Opens the report of an import: which lines made no account, and why.
   * @example
   * const report = await new Response(await operator.downloadAccountImportReport('imp_…')).text();
   */
  downloadAccountImportReport: (id: string, options?: CallOptions) => Promise<FileContent>;
  /**
   * Returns how far deliveries are behind, and how many are made.
   * @example
   * const { due, oldestDueSeconds } = await operator.getDeliveryQueues();
   */
  getDeliveryQueues: (options?: CallOptions) => Promise<DeliveryQueues>;
  /**
   * Lists the endpoints that fail most, the worst first.
   * @example
   * const { data } = await operator.listWorstEndpoints();
   */
  listWorstEndpoints: (
    query?: Record<never, never>,
    options?: CallOptions,
  ) => List<EndpointFailures>;
  /**
   * Lists the events that could not be stored, newest first.
   * @example
   * const { data } = await operator.listRejectedEvents();
   */
  listRejectedEvents: (query?: ListQuery, options?: CallOptions) => List<RejectedEvent>;
  /**
   * Lists the first parts of names that products publish events under.
   * @example
   * for await (const { name, accountId } of operator.listEventNamespaces()) console.log(name, accountId);
   */
  listEventNamespaces: (query?: ListQuery, options?: CallOptions) => List<EventNamespace>;
  /**
   * Lets an application publish the events of its product to every account, or no more.
   * @example
   * await operator.updateEventNamespace('shop', { trustedApplicationId: 'app_…' });
   */
  updateEventNamespace: (
    name: string,
    body: ChangeEventNamespaceBody,
    options?: CallOptions,
  ) => Promise<EventNamespace>;
  /**
   * Returns version, readiness and outbox of the auth service.
   * @example
   * const { version, failing } = await operator.getAuthStatus();
   */
  getAuthStatus: (options?: CallOptions) => Promise<ServiceStatus>;
  /**
   * Returns version, readiness and outbox of the notes service.
   * @example
   * const { version, failing } = await operator.getNotesStatus();
   */
  getNotesStatus: (options?: CallOptions) => Promise<ServiceStatus>;
  /**
   * Returns version, readiness and outbox of the links service.
   * @example
   * const { version, failing } = await operator.getLinksStatus();
   */
  getLinksStatus: (options?: CallOptions) => Promise<ServiceStatus>;
  /**
   * Returns version, readiness and outbox of the webhook dispatcher.
   * @example
   * const { version, failing } = await operator.getWebhooksStatus();
   */
  getWebhooksStatus: (options?: CallOptions) => Promise<ServiceStatus>;
}

type AuthMethod =
  | 'listOperatorAccounts'
  | 'getOperatorAccount'
  | 'listOperatorActions'
  | 'changeAccountPlan'
  | 'suspendAccount'
  | 'unsuspendAccount'
  | 'signOutAccount'
  | 'changeFirstParty'
  | 'importAccounts'
  | 'listAccountImports'
  | 'getAccountImport'
  | 'downloadAccountImportReport'
  | 'getAuthStatus';
type NotesMethod = 'getNotesStatus';
type LinksMethod = 'getLinksStatus';
type WebhooksMethod = Exclude<keyof OperatorApi, AuthMethod | NotesMethod | LinksMethod>;

export const AUTH_OPERATOR_ROUTES: Routes<Pick<OperatorApi, AuthMethod>> = {
  listOperatorAccounts: 'GET /api/operator/accounts list',
  getOperatorAccount: 'GET /api/operator/accounts/{id}',
  listOperatorActions: 'GET /api/operator/accounts/{id}/actions list',
  changeAccountPlan: 'PATCH /api/operator/accounts/{id} body',
  suspendAccount: 'POST /api/operator/accounts/{id}/suspend body',
  unsuspendAccount: 'POST /api/operator/accounts/{id}/unsuspend body',
  signOutAccount: 'POST /api/operator/accounts/{id}/sign-out body',
  changeFirstParty: 'PATCH /api/operator/applications/{id} body',
  importAccounts: 'POST /api/operator/account-imports?name={name} body',
  listAccountImports: 'GET /api/operator/account-imports list',
  getAccountImport: 'GET /api/operator/account-imports/{id}',
  downloadAccountImportReport: 'GET /api/operator/account-imports/{id}/report stream',
  getAuthStatus: 'GET /api/operator/services/auth',
};

export const NOTES_OPERATOR_ROUTES: Routes<Pick<OperatorApi, NotesMethod>> = {
  getNotesStatus: 'GET /api/operator/services/notes',
};

export const LINKS_OPERATOR_ROUTES: Routes<Pick<OperatorApi, LinksMethod>> = {
  getLinksStatus: 'GET /api/operator/services/links',
};

export const WEBHOOKS_OPERATOR_ROUTES: Routes<Pick<OperatorApi, WebhooksMethod>> = {
  getDeliveryQueues: 'GET /api/operator/queues',
  listWorstEndpoints: 'GET /api/operator/endpoints list',
  listRejectedEvents: 'GET /api/operator/rejected-events list',
  listEventNamespaces: 'GET /api/operator/namespaces list',
  updateEventNamespace: 'PATCH /api/operator/namespaces/{name} body',
  getWebhooksStatus: 'GET /api/operator/services/webhooks',
};
