/** Of an uploaded file: about 250,000 accounts. The pages import it, so this imports nothing. */
export const ACCOUNT_IMPORT_MAX_BYTES = 100 * 1024 * 1024;
