const CAUSES_MAX = 5;

/**
 * The parts of an error that are logged. Libraries add data to errors, which must not be logged:
 * ioredis adds the arguments of the command, pg the row.
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
