// What publishing takes of AMQP 0-9-1: https://www.rabbitmq.com/resources/specs/amqp0-9-1.pdf

export const PROTOCOL_HEADER = Buffer.from('AMQP\0\0\x09\x01', 'latin1');
export const NOT_AMQP = 'The server does not answer as AMQP 0-9-1 asks';

/** The largest frame in either direction; the broker may ask for less, but not for less than the protocol does. */
const FRAME_MAX_BYTES = 131_072;
const FRAME_MIN_BYTES = 4_096;
const HEAD_BYTES = 7;
const END = 0xce;

export const FRAME = { method: 1, header: 2, body: 3, heartbeat: 8 } as const;

/** The numbers of class and method. */
export const METHOD = {
  start: 0x0a_00_0a,
  startOk: 0x0a_00_0b,
  tune: 0x0a_00_1e,
  tuneOk: 0x0a_00_1f,
  open: 0x0a_00_28,
  openOk: 0x0a_00_29,
  close: 0x0a_00_32,
  channelOpen: 0x14_00_0a,
  channelOpenOk: 0x14_00_0b,
  channelClose: 0x14_00_28,
  confirmSelect: 0x55_00_0a,
  confirmSelectOk: 0x55_00_0b,
  publish: 0x3c_00_28,
  return: 0x3c_00_32,
  ack: 0x3c_00_50,
  nack: 0x3c_00_78,
} as const;

/** The frame at the start of what has arrived, once it is complete. */
export function firstFrame(
  received: Buffer,
): { type: number; payload: Buffer; bytes: number } | undefined {
  if (received.length < HEAD_BYTES) return undefined;
  const endAt = HEAD_BYTES + received.readUInt32BE(3);
  if (endAt >= FRAME_MAX_BYTES) throw new Error(NOT_AMQP);
  if (received.length <= endAt) return undefined;
  if (received[endAt] !== END) throw new Error(NOT_AMQP);
  return {
    type: received.readUInt8(),
    payload: received.subarray(HEAD_BYTES, endAt),
    bytes: endAt + 1,
  };
}

/** The size of frames that both sides allow; the broker says 0 for any. */
export function agreedFrameBytes(tuneArguments: Buffer): number {
  const asked = tuneArguments.readUInt32BE(2) || FRAME_MAX_BYTES;
  if (asked < FRAME_MIN_BYTES) throw new Error(NOT_AMQP);
  return Math.min(asked, FRAME_MAX_BYTES);
}

function frame(type: number, channel: number, payload: Buffer): Buffer {
  return Buffer.concat([octet(type), short(channel), long(payload.length), payload, octet(END)]);
}

export function method(channel: number, id: number, ...args: Buffer[]): Buffer {
  return frame(FRAME.method, channel, Buffer.concat([long(id), ...args]));
}

/** The frames of a message after its method. */
export function content(
  channel: number,
  properties: { flags: number; values: Buffer[] },
  body: Buffer,
  frameBytes: number,
): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  const head = [short(METHOD.publish >> 16), short(0), size, short(properties.flags)];
  const frames = [frame(FRAME.header, channel, Buffer.concat([...head, ...properties.values]))];
  const partBytes = frameBytes - HEAD_BYTES - 1;
  for (let at = 0; at < body.length; at += partBytes) {
    frames.push(frame(FRAME.body, channel, body.subarray(at, at + partBytes)));
  }
  return Buffer.concat(frames);
}

export const octet = (value: number) => Buffer.from([value]);

export function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Unix seconds. */
export function timestamp(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

export function shortString(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('A name is longer than AMQP allows');
  return Buffer.concat([octet(bytes.length), bytes]);
}

export function longString(text: string | Buffer): Buffer {
  return Buffer.concat([long(Buffer.byteLength(text)), Buffer.from(text)]);
}

export interface Table {
  [name: string]: string | true | Table;
}

export function table(fields: Table): Buffer {
  const encoded = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([shortString(name), tagged(value)]),
  );
  return longString(Buffer.concat(encoded));
}

function tagged(value: Table[string]): Buffer {
  if (value === true) return Buffer.from('t\x01');
  if (typeof value === 'string') return Buffer.concat([Buffer.from('S'), longString(value)]);
  return Buffer.concat([Buffer.from('F'), table(value)]);
}
