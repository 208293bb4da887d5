import Type, { type Static } from 'typebox';
import { WebUrl } from '@atrium/service-kit/config';
import { openFolderStorage } from './folder.ts';
import type { FileStorage } from './storage.ts';

/** Where attachments are stored: in the bucket if one is given, otherwise in the folder. */
export const filesConfig = {
  FILES_FOLDER: Type.String({ default: '.data/files', description: 'a folder' }),
  S3_BUCKET: Type.Optional(Type.String({ minLength: 1 })),
  S3_REGION: Type.String({ default: 'us-east-1' }),
  S3_ENDPOINT: Type.Optional(WebUrl),
  S3_ACCESS_KEY_ID: Type.Optional(Type.String({ minLength: 1 })),
  S3_SECRET_ACCESS_KEY: Type.Optional(Type.String({ minLength: 1 })),
};
const FilesConfig = Type.Object(filesConfig);

export async function openFileStorage(config: Static<typeof FilesConfig>): Promise<FileStorage> {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint } = config;
  if (bucket === undefined) return openFolderStorage(config.FILES_FOLDER);
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const hasKey = accessKeyId !== undefined && secretAccessKey !== undefined;
  // Only here: loading the SDK takes 30 MB.
  const { openS3Storage } = await import('./s3.ts');
  const credentials = hasKey ? { accessKeyId, secretAccessKey } : undefined;
  return openS3Storage({ bucket, region, endpoint, credentials });
}
