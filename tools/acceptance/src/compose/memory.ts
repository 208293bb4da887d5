import assert from 'node:assert/strict';
import type { Stack } from './engine.ts';

const PLATFORM_MB = 660;
const SERVICE_MB = 300;
/** They stand for what is outside. */
const NOT_OURS = /^(receiver|mailpit)/;

async function measure(stack: Stack): Promise<Map<string, number>> {
  const all = await stack.memory();
  return new Map(Array.from(all).filter(([name]) => !NOT_OURS.test(name)));
}

function describe(memory: Map<string, number>): string {
  return Array.from(memory, ([name, size]) => `${name} ${size}`).join(', ');
}

/** @returns the memory of each container in MB */
export async function memoryAtRest(stack: Stack): Promise<string> {
  const memory = await measure(stack);
  const together = memory.values().reduce((sum, size) => sum + size, 0);
  const text = `${describe(memory)}; together ${together} of ${PLATFORM_MB} MB`;
  assert.ok(together <= PLATFORM_MB, text);
  return text;
}

/** @returns the memory of each container in MB */
export async function memoryAfterLoad(stack: Stack): Promise<string> {
  const memory = await measure(stack);
  const text = `${describe(memory)}; at most ${SERVICE_MB} MB each`;
  assert.ok(Math.max(...memory.values()) <= SERVICE_MB, text);
  return text;
}
