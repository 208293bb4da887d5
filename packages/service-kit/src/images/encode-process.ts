import { buffer } from 'node:stream/consumers';
import { ResizeFit, Transformer } from '@napi-rs/image';

// Reads an image from its input and writes it to its output, as its arguments say.
const [type, quality, square] = process.argv.slice(2);
const image = new Transformer(await buffer(process.stdin)).rotate();
if (square !== undefined) {
  image.resize(Number(square), Number(square), undefined, ResizeFit.Cover);
}
process.stdout.write(await encode());

function encode(): Promise<Buffer> {
  if (type === 'image/png') return image.png();
  return type === 'image/jpeg' ? image.jpeg(Number(quality)) : image.webp(Number(quality));
}
