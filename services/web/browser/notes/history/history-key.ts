export const historyKey = (noteId: string) => ['history', noteId];
