import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const STOP_MS = 10_000;

export interface Child extends AsyncDisposable {
  pid: number;
  process: ChildProcess;
  /** The next message with this field; rejects when the process ends first. */
  next<Message extends object>(field: keyof Message & string): Promise<Message>;
  /** Rejects when the process ends. */
  died: Promise<never>;
  /** Sends SIGTERM and waits for the end, SIGKILL after ten seconds. */
  stop(): Promise<void>;
}

/** Starts one of our own entries beside this file, with a channel to send messages over. */
export function startChild(entry: string, args: string[] = []): Child {
  const file = fileURLToPath(new URL(entry, import.meta.url));
  return adopt(fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }), entry);
}

/** Starts a process of the platform; what it logs is kept for the message of a failure. */
export function startEntry(
  entry: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Child {
  const process_ = spawn(process.execPath, [entry, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [process_.stdout, process_.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > 50) lines.shift();
    });
  }
  return adopt(process_, entry, lines);
}

function adopt(child: ChildProcess, name: string, lines: string[] = []): Child {
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} could not be started`);
  const ended = once(child, 'exit').then(([code]) => Number(code ?? -1));
  const died = ended.then<never>((code) => {
    throw new Error(`${name} ended with ${code}\n${lines.join('\n')}`);
  });
  // A process that is stopped may end while nothing waits for it.
  died.catch(() => undefined);
  // An interrupted benchmark leaves nothing behind.
  const end = () => child.kill('SIGKILL');
  process.on('exit', end);
  const stop = async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(kill);
    process.off('exit', end);
  };
  return {
    pid,
    process: child,
    died,
    async next<Message extends object>(field: keyof Message & string): Promise<Message> {
      const { promise, resolve } = Promise.withResolvers<Message>();
      const listener = (message: unknown) => {
        if (hasField<Message>(message, field)) resolve(message);
      };
      child.on('message', listener);
      try {
        return await Promise.race([promise, died]);
      } finally {
        child.off('message', listener);
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function hasField<Message extends object>(
  message: unknown,
  field: keyof Message & string,
): message is Message {
  return typeof message === 'object' && message !== null && field in message;
}

/** The exit code of a process. */
export async function untilEnd(child: Child): Promise<number> {
  const [code] = await once(child.process, 'exit');
  return Number(code ?? -1);
}
