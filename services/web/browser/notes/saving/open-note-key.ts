export const openNoteKey = (accountId: string, id: string) => ['open-note', accountId, id];
