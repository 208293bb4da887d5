import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE_SIZE_MAX_BYTES = 10 * 1024 * 1024;

export interface LogFiles extends Disposable {
  write(processName: string, line: string): void;
}

/**
 * One log file for each process, `<folder>/<process>.log`. A start, and a file that is full, moves the
 * old file to `<process>.log.1`, so each process keeps at most two files.
 */
export function openLogFiles(folder: string, sizeMaxBytes = FILE_SIZE_MAX_BYTES): LogFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = new Map<string, { descriptor: number; sizeBytes: number }>();

  function open(processName: string) {
    const path = join(folder, `${processName}.log`);
    let descriptor = openSync(path, 'a', 0o600);
    if (fstatSync(descriptor).size > 0) {
      closeSync(descriptor);
      renameSync(path, `${path}.1`);
      descriptor = openSync(path, 'a', 0o600);
    }
    const file = { descriptor, sizeBytes: 0 };
    files.set(processName, file);
    return file;
  }

  return {
    write(processName, line) {
      const bytes = Buffer.from(`${line}\n`);
      let file = files.get(processName) ?? open(processName);
      if (file.sizeBytes > 0 && file.sizeBytes + bytes.length > sizeMaxBytes) {
        closeSync(file.descriptor);
        file = open(processName);
      }
      writeSync(file.descriptor, bytes);
      file.sizeBytes += bytes.length;
    },
    [Symbol.dispose]() {
      for (const { descriptor } of files.values()) closeSync(descriptor);
      files.clear();
    },
  };
}
