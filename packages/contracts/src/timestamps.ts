import Type from 'typebox';

export const EXAMPLE_TIMESTAMP = '2026-01-31T09:30:00.000Z';

/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Timestamp = Type.String({
  format: 'date-time',
  maxLength: 40,
  examples: [EXAMPLE_TIMESTAMP],
});

export const NullableTimestamp = Type.Union([Timestamp, Type.Null()]);

/** An optional time, such as a bound of a list's time range. */
export const Moment = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description }));
