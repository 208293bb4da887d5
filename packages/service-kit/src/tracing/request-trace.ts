import { formatTraceparent, type TraceContext } from '@atrium/contracts/traceparent';

declare module 'node:http' {
  interface IncomingMessage {
    /** Undefined unless the process traces. */
    trace?: RequestTrace;
  }
}

/** The trace of a request that is being answered. */
export class RequestTrace {
  readonly requestId: string;
  readonly context: TraceContext;
  /** The span of the caller, if it is trusted. */
  readonly parent: TraceContext | undefined;
  /** The span of a caller who is not. */
  readonly link: TraceContext | undefined;
  readonly startMs: number;
  readonly #accounts: ReadonlySet<string>;

  constructor(
    requestId: string,
    begun: Pick<RequestTrace, 'context' | 'parent' | 'link'>,
    accounts: ReadonlySet<string>,
  ) {
    this.requestId = requestId;
    this.context = begun.context;
    this.parent = begun.parent;
    this.link = begun.link;
    this.startMs = Date.now();
    this.#accounts = accounts;
  }

  /** From here on the trace is sampled, if the account is one of those that always are. */
  sampleFor(accountId: string | undefined): void {
    if (accountId !== undefined && this.#accounts.has(accountId)) this.context.isSampled = true;
  }

  /** For what is done for this account because of the request. */
  traceparentFor(accountId: string): string {
    this.sampleFor(accountId);
    return formatTraceparent(this.context);
  }
}
