import { shorten } from '#src/text/shorten'

/** Builds an ID3v2.4 tag with a title and a comment, in UTF-8. */
export function id3Tag({ title, comment }: { title: string; comment: string }): Uint8Array {
  const text = (value: string) => Buffer.concat([Buffer.from([3]), Buffer.from(value, 'utf8')])
  const frames = Buffer.concat([
    frame('TIT2', text(shorten(title, 300))),
    frame(
      'COMM',
      Buffer.concat([Buffer.from([3]), Buffer.from('eng\0', 'latin1'), Buffer.from(comment, 'utf8')]),
    ),
  ])
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), sevenBits(frames.byteLength), frames])
}

function frame(name: string, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(name, 'latin1'), sevenBits(content.byteLength), Buffer.alloc(2), content])
}

/** Encodes a size with the top bit of each byte 0, so that no size looks like the start of a frame. */
function sevenBits(size: number): Uint8Array {
  return Uint8Array.of((size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127)
}
