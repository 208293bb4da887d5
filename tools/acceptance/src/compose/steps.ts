import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@atrium/testkit/until';
import { logIn, type Person } from '../accounts.ts';
import { docker, type Stack } from './engine.ts';
import { type AttachedFile, assertFileIsThere, followChanges, passLargeFile } from './gateway.ts';
import { assertDataIsOutOfReach, assertServicesAreApart } from './intrusion.ts';
import { underLoad } from './load.ts';
import { memoryAfterLoad, memoryAtRest } from './memory.ts';
import type { Platform } from './platform.ts';

const SERVICES = ['auth', 'notes', 'notes-worker', 'links', 'webhook-dispatcher', 'worker', 'web'];
const REPLICAS = ['notes=3', 'notes-worker=2', 'links=2', 'worker=3'];
const SETTLE_MS = 60_000;
const FULL_LOAD_MS = 30_000;
const FULL_LOAD_CONNECTIONS = 32;
const LONG_WAIT = { timeoutMs: 180_000, intervalMs: 1_000 };
const AFTER_KILL_MS = 8_000;

/** The steps in their order; each works with what the ones before have left. Each returns what it found. */
export class Steps {
  readonly #stack: Stack;
  readonly #platform: Platform;
  /** For the backup. */
  readonly #folder: string;
  #ada: Person | undefined;
  #workspaceId = '';
  #link = '';
  #file: AttachedFile | undefined;

  constructor(stack: Stack, platform: Platform, folder: string) {
    this.#stack = stack;
    this.#platform = platform;
    this.#folder = folder;
  }

  get #person(): Person {
    assert.ok(this.#ada, 'the first account does not exist yet');
    return this.#ada;
  }

  async build(): Promise<string> {
    await this.#stack.compose('build');
    return 'done';
  }

  async start(): Promise<string> {
    const startedMs = performance.now();
    await this.#stack.script('scripts/make-secrets.sh');
    await this.#stack.compose('up', '--detach', '--no-build');
    await this.#stack.healthy([...SERVICES, 'postgres', 'redis']);
    return `healthy after ${Math.round((performance.now() - startedMs) / 1000)} s`;
  }

  async rest(): Promise<string> {
    await sleep(SETTLE_MS);
    return memoryAtRest(this.#stack);
  }

  async deliverEveryEvent(): Promise<string> {
    const platform = this.#platform;
    const ada = await platform.createPerson('ada');
    const secret = await readFile(new URL('../../../../secrets/internal_secret', import.meta.url));
    await platform.upgrade(ada, secret.toString());
    // The plan is in the token.
    this.#ada = { ...ada, ...(await logIn(platform.url, ada)) };
    await platform.subscribe(this.#ada);
    this.#workspaceId = await platform.createWorkspace(this.#ada);
    const note = await platform.createNote(this.#ada, this.#workspaceId, 'Autumn');
    const page = await platform.shareNote(this.#ada, note);
    await platform.openPage(page, 'Water the tomatoes');
    this.#link = await platform.createLink(this.#ada);
    await platform.click(this.#link);
    await platform.logInFromElsewhere(this.#ada);
    await platform.delivered('note.shared', note);
    await platform.delivered('go.click', '');
    await platform.delivered('auth.suspicious_login', '');
    const token = this.#ada.accessToken;
    const found = await platform.expect(200, 'GET', '/api/search?q=tomatoes', { token });
    assert.equal(found.body['total'], 1);
    await platform.expect(401, 'GET', '/user/me', { token: 'nonsense' });
    await platform.openPage('/login');
    return '3 of 3 kinds';
  }

  async passGateway(): Promise<string> {
    const atrium = this.#platform.clientOf(this.#person);
    await followChanges(atrium, this.#workspaceId);
    this.#file = await passLargeFile(atrium);
    return 'a file of 50 MB there and back, twice; changes while they happen';
  }

  async keepServicesApart(): Promise<string> {
    await assertDataIsOutOfReach(this.#stack, this.#platform.url);
    return `${await assertServicesAreApart(this.#stack)} attempts refused`;
  }

  async scale(): Promise<string> {
    const scales = REPLICAS.flatMap((replicas) => ['--scale', replicas]);
    await this.#stack.compose('up', '--detach', '--no-build', '--no-recreate', ...scales);
    await this.#stack.healthy(SERVICES);
    const counts = new Map<string, number[]>();
    const shared: string[] = [];
    await underLoad(this.#round(shared), () =>
      until(async () => {
        counts.set('notes', await this.#count('notes', '"route":"/api/workspaces/:id/notes"'));
        counts.set('links', await this.#count('links', '"route":"/:slug"'));
        counts.set('worker', await this.#count('worker', '"outcome":"delivered"'));
        return Array.from(counts.values())
          .flat()
          .every((count) => count >= 10);
      }, LONG_WAIT),
    );
    await this.#allDelivered(shared);
    assert.deepEqual(
      Array.from(counts.values(), ({ length }) => length),
      [3, 2, 3],
    );
    return Array.from(counts, ([name, each]) => `${name} ${each.join(' + ')}`).join(', ');
  }

  async killReplica(): Promise<string> {
    const token = this.#person.accessToken;
    const read = async () => {
      const path = `/api/workspaces/${this.#workspaceId}/notes?limit=5`;
      await this.#platform.expect(200, 'GET', path, { token });
      await this.#platform.click(this.#link);
    };
    const { succeeded, failures } = await underLoad(read, async () => {
      await sleep(2_000);
      for (const service of ['notes', 'links']) {
        const [container] = await this.#stack.containers(service);
        assert.ok(container);
        await docker(['kill', container]);
        await sleep(AFTER_KILL_MS);
      }
    });
    assert.deepEqual(Object.fromEntries(failures), {});
    return `${succeeded * 2} reads, none failed`;
  }

  async restartOneByOne(): Promise<string> {
    const shared: string[] = [];
    const { succeeded, failures } = await underLoad(this.#round(shared), () =>
      this.#stack.script('deploy/rolling-restart.sh'),
    );
    await this.#allDelivered(shared);
    assert.deepEqual(Object.fromEntries(failures), {});
    return `${succeeded} rounds of 7 requests, none failed, ${shared.length} of ${shared.length} events`;
  }

  async restore(): Promise<string> {
    const { accessToken: token } = this.#person;
    const platform = this.#platform;
    const backup = join(this.#folder, 'backup');
    await platform.answerWith(500);
    const note = await platform.createNote(this.#person, this.#workspaceId, 'Undelivered');
    await platform.shareNote(this.#person, note);
    const undelivered = async () => {
      const path = '/api/deliveries?state=undelivered';
      return (await platform.expect(200, 'GET', path, { token })).body['data'] as unknown[];
    };
    await until(async () => (await undelivered()).length > 0);
    await this.#stack.script('deploy/backup.sh', backup);

    await this.#stack.compose('down', '--volumes', '--timeout', '5');
    await this.#stack.compose('up', '--detach', '--no-build', 'postgres');
    await this.#stack.healthy(['postgres']);
    await this.#stack.script('deploy/restore.sh', backup);
    await assert.rejects(this.#stack.script('deploy/restore.sh', backup), /is not empty/);

    await this.start();
    await platform.delivered('note.shared', note);
    await until(async () => (await undelivered()).length === 0);
    this.#ada = { ...this.#person, ...(await logIn(platform.url, this.#person)) };
    await platform.expect(200, 'GET', `/api/notes/${note}`, { token });
    const webhooks = await platform.expect(200, 'GET', '/api/webhooks', { token });
    assert.equal((webhooks.body['data'] as unknown[]).length, 1);
    await platform.click(this.#link);
    await platform.delivered('go.click', '');
    assert.ok(this.#file, 'no file was attached');
    await assertFileIsThere(platform.clientOf(this.#person), this.#file);
    return 'account, session, note, file, link, webhook and undelivered delivery are there and go on';
  }

  async fullLoad(): Promise<string> {
    // A restore that failed has left it at 500.
    await this.#platform.answerWith(200);
    const shared: string[] = [];
    const { succeeded, failures } = await underLoad(
      this.#round(shared),
      () => sleep(FULL_LOAD_MS),
      FULL_LOAD_CONNECTIONS,
    );
    assert.deepEqual(Object.fromEntries(failures), {});
    await this.#allDelivered(shared);
    await sleep(SETTLE_MS);
    return `${succeeded * 7} requests; ${await memoryAfterLoad(this.#stack)}`;
  }

  /** Requests to every service; the ids of the notes that it shares are added to `shared`. */
  #round(shared: string[]): (n: number) => Promise<void> {
    const platform = this.#platform;
    const { accessToken: token } = this.#person;
    return async (n) => {
      await platform.openPage('/login');
      await platform.expect(200, 'GET', '/user/me', { token });
      await platform.expect(200, 'GET', '/api/webhooks', { token });
      await platform.expect(200, 'GET', `/api/workspaces/${this.#workspaceId}`, { token });
      await platform.click(this.#link);
      const note = await platform.createNote(this.#person, this.#workspaceId, `Note ${n}`);
      await platform.shareNote(this.#person, note);
      shared.push(note);
    };
  }

  /** How many of its log lines have this text, for each container of a service. */
  async #count(service: string, part: string): Promise<number[]> {
    const containers = await this.#stack.containers(service);
    return Promise.all(
      containers.map(async (id) => (await docker(['logs', id])).split(part).length - 1),
    );
  }

  /** @throws Error naming what is missing when not every shared note is delivered */
  async #allDelivered(shared: string[]): Promise<void> {
    let missing = shared;
    await until(async () => {
      const received = JSON.stringify(await this.#platform.received());
      missing = missing.filter((id) => !received.includes(id));
      return missing.length === 0;
    }, LONG_WAIT).catch((error: unknown) => {
      throw new Error(`${missing.length} of ${shared.length} events were lost`, { cause: error });
    });
  }
}
