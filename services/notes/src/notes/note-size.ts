import { PLAN_LIMITS } from '@atrium/contracts/notes';
import type { Plan } from '@atrium/contracts/tokens';
import { planLimitExceeded } from '@atrium/service-kit/http-error';

/**
 * The largest body that can hold the largest note: JSON may spell one byte of content as the six
 * of `\u000a`, and the other fields need some room.
 */
export const NOTE_BODY_LIMIT_BYTES = PLAN_LIMITS.pro.noteSizeBytes * 6 + 64 * 1024;

/** A plan limits the content of a note in bytes of UTF-8, not in characters. */
export function assertNoteFits(content: string, plan: Plan): void {
  const limitBytes = PLAN_LIMITS[plan].noteSizeBytes;
  if (Buffer.byteLength(content, 'utf8') > limitBytes) {
    throw planLimitExceeded(`Content may have at most ${limitBytes} bytes on your plan`);
  }
}
