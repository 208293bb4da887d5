/**
 * A fetch that says how much of the body has been sent, which the browser's own cannot. It reads the whole
 * response before it returns.
 */
export function fetchWithProgress(onProgress: (sentBytes: number) => void): typeof fetch {
  return (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url instanceof Request ? url.url : url);
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.onprogress = ({ loaded }) => onProgress(loaded);
      request.onload = () => {
        const { status, responseText } = request;
        resolve(new Response(responseText, { status, headers: headersOf(request) }));
      };
      request.onerror = () => reject(new TypeError('The request failed'));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      if (signal?.aborted === true) reject(signal.reason);
      else request.send(body as Blob);
    });
}

function headersOf(request: XMLHttpRequest): [string, string][] {
  const lines = request.getAllResponseHeaders().trim().split('\r\n');
  return lines.map((line) => {
    const [name = '', ...value] = line.split(': ');
    return [name, value.join(': ')];
  });
}
