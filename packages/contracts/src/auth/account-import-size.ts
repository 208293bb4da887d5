/** The size of an uploaded file at most: about 250,000 accounts. The pages import it, so this imports nothing. */
export const ACCOUNT_IMPORT_MAX_BYTES = 100 * 1024 * 1024;
