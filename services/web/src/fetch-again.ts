/**
 * `fetch` for a request that may be carried out twice, which is sent again when its connection is lost: one that
 * is kept may be closed by a stopping replica just when it is used.
 */
export function fetchAgain(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init).catch((error: unknown) => {
    if (error instanceof TypeError) return fetch(url, init);
    throw error;
  });
}
