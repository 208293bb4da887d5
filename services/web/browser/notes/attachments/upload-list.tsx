import { AtriumError } from '@atrium/client';
import { Button, Group, Progress, Text } from '@mantine/core';
import { errorText } from '../../ui/error-text.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import classes from './attachments.module.css';
import type { Upload, Uploads } from './use-uploads.ts';

/** What the plan does not allow, or the service does not take. */
const FINAL_REJECTIONS = [403, 413, 422];

/** The files that are on their way, above the text that they go into. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const { attachments } = useSignedInText();
  return (
    <ul className={classes.uploads} aria-label={attachments.uploads}>
      {uploads.list.map((upload) => (
        <UploadRow key={upload.id} upload={upload} uploads={uploads} />
      ))}
    </ul>
  );
}

function UploadRow({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const text = useSignedInText();
  const { attachments } = text;
  const { id, file, sentBytes, error } = upload;
  const isFinal = error instanceof AtriumError && FINAL_REJECTIONS.includes(error.status);
  return (
    <li className={classes.upload}>
      <div className={classes.about}>
        <Text size="sm" truncate>
          {file.name}
        </Text>
        {error === undefined ? (
          <Progress
            size="sm"
            value={(sentBytes / Math.max(file.size, 1)) * 100}
            aria-label={attachments.progress(file.name)}
          />
        ) : (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {errorText(error, text)}
          </Text>
        )}
      </div>
      <Group gap="xs" wrap="nowrap">
        {error !== undefined && !isFinal && (
          <Button variant="default" size="compact-sm" onClick={() => uploads.retry(upload)}>
            {text.errors.tryAgain}
          </Button>
        )}
        <Button
          variant="default"
          size="compact-sm"
          aria-label={attachments.cancel(file.name)}
          onClick={() => uploads.cancel(id)}
        >
          {text.proof.cancel}
        </Button>
      </Group>
    </li>
  );
}
