import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { AbstractConnector } from 'ioredis';

interface ConnectorOptions {
  host?: string;
  port?: number;
  tls: ConnectionOptions;
  disconnectTimeout: number;
}

/**
 * ioredis listens to the first error of a socket. A TLS handshake that fails has two, our own and the alert of
 * the server, and an error that nobody listens to would end the process.
 */
export class TlsConnector extends AbstractConnector {
  readonly #target: ConnectionOptions;

  constructor(options: unknown) {
    const { host = '127.0.0.1', port = 6379, tls, disconnectTimeout } = options as ConnectorOptions;
    super(disconnectTimeout);
    this.#target = { host, port, ...tls };
  }

  override async connect(): Promise<TLSSocket> {
    this.connecting = true;
    const stream = connect(this.#target);
    stream.on('error', (error) => (this.firstError ??= error));
    this.stream = stream;
    return stream;
  }
}
