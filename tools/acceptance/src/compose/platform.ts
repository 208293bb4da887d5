import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Atrium, createAtrium } from '@atrium/client';
import { until } from '@atrium/testkit/until';
import { CHROME_ON_LINUX, logIn, PASSWORD, type Person, registrationInput } from '../accounts.ts';
import { type ApiResponse, call, type RequestOptions, text } from '../client.ts';

/** The platform from outside, through the gateway. */
export class Platform {
  readonly url: string;
  readonly #receiverUrl: string;
  readonly #mailDir: string;

  constructor(options: { url: string; receiverUrl: string; mailDir: string }) {
    this.url = options.url;
    this.#receiverUrl = options.receiverUrl;
    this.#mailDir = options.mailDir;
  }

  clientOf({ accessToken }: Person): Atrium {
    const { url } = this;
    return createAtrium({
      authUrl: url,
      notesUrl: url,
      linksUrl: url,
      webhooksUrl: url,
      accessToken: () => accessToken,
    });
  }

  /** @throws Error when the status is another one */
  async expect(
    status: number,
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<ApiResponse> {
    const response = await call(method, this.url + path, options);
    if (response.status === status) return response;
    throw new Error(
      `${method} ${path} gave ${response.status}, not ${status}: ${JSON.stringify(response.body)}`,
    );
  }

  /** @throws Error unless the answer is a page with this text */
  async openPage(path: string, part = ''): Promise<void> {
    const response = await fetch(this.url + path, { headers: { accept: 'text/html' } });
    const body = await response.text();
    if (!body.includes('</html>') || !body.includes(part))
      throw new Error(`GET ${path} gave ${response.status}: ${body}`);
  }

  /** Registers, verifies the email address and logs in. */
  async createPerson(username: string): Promise<Person> {
    const input = registrationInput(username);
    await this.expect(201, 'POST', '/auth/register', { body: input });
    const token = await until(() => this.#verificationToken(input.email));
    const { password } = input;
    await this.expect(200, 'POST', `/auth/verify-email/${token}`, { body: { password } });
    return { ...input, ...(await logIn(this.url, input)) };
  }

  async #verificationToken(email: string): Promise<string | undefined> {
    for (const file of await readdir(this.#mailDir)) {
      const raw = await readFile(join(this.#mailDir, file), 'latin1');
      const mail = raw.replaceAll(/=\r?\n/g, '');
      const token = /\/verify-email\/([\w-]+)/.exec(mail)?.[1];
      if (token !== undefined && mail.includes(email)) return token;
    }
    return undefined;
  }

  async logInFromElsewhere({ email }: Person): Promise<void> {
    await this.expect(200, 'POST', '/auth/login', {
      body: { email, password: PASSWORD },
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' },
    });
  }

  /** @returns the id of the subscription */
  async subscribe({ accessToken: token }: Person): Promise<string> {
    const events = ['note.shared', 'go.click', 'auth.suspicious_login'];
    const body = { url: 'http://receiver:8090/hook', events };
    return text((await this.expect(201, 'POST', '/api/webhooks', { token, body })).body, 'id');
  }

  async createNote({ accessToken: token }: Person, workspaceId: string, title: string) {
    const path = `/api/workspaces/${workspaceId}/notes`;
    const body = { title, content: 'Water the tomatoes' };
    return text((await this.expect(201, 'POST', path, { token, body })).body, 'id');
  }

  async createWorkspace({ accessToken: token }: Person): Promise<string> {
    const body = { name: 'Plans', description: '' };
    return text((await this.expect(201, 'POST', '/api/workspaces', { token, body })).body, 'id');
  }

  /** @returns the path of the public page */
  async shareNote({ accessToken: token }: Person, noteId: string): Promise<string> {
    const { body } = await this.expect(200, 'POST', `/api/notes/${noteId}/share`, { token });
    return new URL(text(body, 'url')).pathname;
  }

  /** @returns the path of the short link */
  async createLink({ accessToken: token }: Person): Promise<string> {
    const body = { url: 'https://example.com/autumn' };
    const { body: link } = await this.expect(201, 'POST', '/api/links', { token, body });
    return new URL(text(link, 'shortUrl')).pathname;
  }

  async click(path: string): Promise<void> {
    await this.expect(302, 'GET', path, { headers: { 'user-agent': CHROME_ON_LINUX } });
  }

  /** Lifts the limits of the free plan. */
  async upgrade({ id }: Person, internalSecret: string): Promise<void> {
    const headers = { 'x-internal-secret': internalSecret };
    await this.expect(200, 'PUT', `/internal/accounts/${id}/plan`, {
      headers,
      body: { plan: 'pro' },
    });
  }

  /** What the receiver got, oldest first. */
  async received(): Promise<Record<string, unknown>[]> {
    const response = await fetch(this.#receiverUrl);
    const bodies = (await response.json()) as string[];
    return bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
  }

  /** Resolves when an event of this kind whose body contains `part` was received. */
  async delivered(event: string, part: string): Promise<void> {
    await until(async () =>
      (await this.received()).some(
        (body) => body['event'] === event && JSON.stringify(body).includes(part),
      ),
    );
  }

  /** The receiver answers with this status from now on. */
  async answerWith(status: number): Promise<void> {
    await fetch(`${this.#receiverUrl}/status`, { method: 'PUT', body: String(status) });
  }
}
