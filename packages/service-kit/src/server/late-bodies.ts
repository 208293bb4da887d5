import type { IncomingMessage, Server } from 'node:http';

/** What may still come of a body in chunks once its request is answered: enough for a client that is about to end. */
const REST_BYTES = 64 * 1024;
const REST_MS = 1000;

/**
 * Ends connections on which a body in chunks goes on after its answer. Node parses it to its end, however long that
 * takes, and a chunk of one byte costs as much as one of 64 KB, which is the most that it reads of any other body.
 */
export function endLateBodies(server: Server): void {
  server.prependListener('request', (request, response) => {
    if (request.headers['transfer-encoding'] === undefined) return;
    response.once('finish', () => {
      if (!request.complete) awaitRest(request);
    });
  });
}

function awaitRest(request: IncomingMessage): void {
  const { socket } = request;
  let leftBytes = REST_BYTES;
  const count = ({ length }: Buffer) => {
    leftBytes -= length;
    if (leftBytes > 0) return;
    // A client that sends more has until then to read its answer, which a reset would take away.
    request.pause();
    socket.pause();
  };
  const timer = setTimeout(() => socket.destroy(), REST_MS);
  socket.on('data', count);
  request.once('close', () => {
    clearTimeout(timer);
    socket.off('data', count);
  });
  // What a handler has left unread would keep the rest from being read.
  request.resume();
}
