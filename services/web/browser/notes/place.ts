/** Where a note is: below which note of its workspace, and after which sibling; null for none, undefined the last. */
export interface Place {
  parentId: string | null;
  after: string | null | undefined;
}
