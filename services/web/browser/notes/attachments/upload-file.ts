import type { AccountPlan, Attachment } from '@atrium/client';
import { checkSize } from './check-size.ts';
import { files } from '../../session/files.ts';
import { sizeText } from '../../ui/size-text.ts';

const NAME_LENGTH_MAX = 200;
/** What browsers show, and the service sends to be shown. */
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/**
 * Attaches a file to a workspace.
 *
 * @param plan of its owner, where it is known
 * @returns the Markdown with which a note refers to it
 */
export async function uploadFile(
  workspaceId: string,
  file: File,
  {
    plan,
    locale,
    ...options
  }: {
    locale: string;
    plan: AccountPlan['plan'] | undefined;
    signal: AbortSignal;
    idempotencyKey: string;
    onProgress: (sentBytes: number) => void;
  },
): Promise<string> {
  await checkSize('file', file, plan);
  const name = file.name.slice(-NAME_LENGTH_MAX);
  const attachment = await files.uploadAttachment(workspaceId, name, file, options);
  return markdownOf(attachment, sizeText(attachment.sizeBytes, locale));
}

/** Images are shown, other files are links that name their size. */
function markdownOf({ name, path, type }: Attachment, size: string): string {
  const label = name.replaceAll(/[\\[\]]/g, String.raw`\$&`);
  return IMAGES.includes(type) ? `![${label}](${path})` : `[${label}](${path} "${size}")`;
}
