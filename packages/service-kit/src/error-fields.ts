const CAUSES_MAX = 5;

/**
 * What a log may say of an error: kind, message, stack, code and cause. Nothing else that a library
 * has put on it, for that is data: ioredis adds the arguments of the command, pg the row.
 */
export interface ErrorFields {
  type: string;
  message: string;
  stack: string | undefined;
  code?: string | number;
  cause?: ErrorFields;
}

export function errorFields(error: Error, causes = 0): ErrorFields {
  const fields: ErrorFields = {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
  };
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) {
    fields.code = error.code;
  }
  if (error.cause instanceof Error && causes < CAUSES_MAX) {
    fields.cause = errorFields(error.cause, causes + 1);
  }
  return fields;
}
