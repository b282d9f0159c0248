import { AppError } from '#src/app-error'

/** Decodes text files of any program. Browser-safe. */

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
type Chunks = AsyncIterable<Uint8Array>

/**
 * Detects the encoding of a file: by its byte order mark, by the zeros of UTF-16, otherwise UTF-8 if valid, otherwise
 * Windows-1252, which spreadsheet programs write as plain "CSV". Throws `invalid` if it is none of these: guessing
 * further would garble names silently.
 */
export async function findEncoding(chunks: Chunks): Promise<Encoding> {
  let decoder: TextDecoder | null = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  let isPlain = true
  for await (const chunk of chunks) {
    const wide = isFirst ? wideEncodingOf(chunk) : null
    if (wide) return wide
    isFirst = false
    const text = decoder && tryDecode(decoder, chunk)
    // If the text is UTF-8 up to here, it is damaged, not in another encoding.
    if (decoder && text === null && (!isPlain || isMostlyUtf8(chunk))) throw notText()
    if (text === null) decoder = null
    else isPlain &&= text.length === chunk.length && !chunk.includes(0)
    if (!decoder && chunk.some((byte) => unusedBytes.has(byte))) throw notText()
  }
  return decoder && tryDecode(decoder) !== null ? 'utf-8' : 'windows-1252'
}

/** The note for the operator about an encoding that was guessed. */
export function encodingNote(encoding: Encoding): string | null {
  if (encoding !== 'windows-1252') return null
  return 'This file is not in UTF-8, and was read as Windows-1252. Look at letters with accents; where they are wrong, save it as "CSV UTF-8".'
}

/**
 * Decodes text of a known encoding chunk by chunk: for a very large buffer, the decoder returns "" when memory runs
 * out.
 */
export async function* decodePieces(chunks: Chunks, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const chunk of chunks) yield decodePiece(decoder, chunk)
  yield decodePiece(decoder)
}

/** Decodes a whole file, with a note if its encoding was guessed. Throws `invalid` if it is not text. */
export async function decodeBytes(bytes: Uint8Array): Promise<{ text: string; note: string | null }> {
  const encoding = await findEncoding(inOnePiece(bytes))
  const text = await decodeText(inOnePiece(bytes), encoding)
  return { text: text.replace(/^\ufeff/, ''), note: encodingNote(encoding) }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

/** Like `decodePieces`, joined into one text. */
export async function decodeText(chunks: Chunks, encoding: Encoding): Promise<string> {
  return (await Array.fromAsync(decodePieces(chunks, encoding))).join('')
}

function decodePiece(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw notText(cause)
  }
}

/** Bytes that Windows-1252 does not use, and the zero byte. */
const unusedBytes = new Set([0x00, 0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** Null if the bytes are invalid in the decoder's encoding. */
function tryDecode(decoder: TextDecoder, chunk?: Uint8Array): string | null {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    if (cause instanceof TypeError) return null
    throw cause
  }
}

/** Whether more letters of a text are valid UTF-8 than not. If so, it is damaged UTF-8, not another encoding. */
function isMostlyUtf8(chunk: Uint8Array): boolean {
  const wide = new TextDecoder().decode(chunk).match(/[\u0080-\u{10ffff}]/gu) ?? []
  const wrong = wide.filter((letter) => letter === '\ufffd').length
  return wide.length > wrong * 2
}

/** UTF-16 has a byte order mark or, in western texts, a zero in every second byte. */
function wideEncodingOf(chunk: Uint8Array): Encoding | null {
  const [first, second] = chunk
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const head = chunk.subarray(0, 1_000)
  const zerosAt = (rest: number) => head.filter((byte, at) => byte === 0 && at % 2 === rest).length
  const isMost = (zeros: number) => zeros > head.length / 3
  if (isMost(zerosAt(1)) && zerosAt(0) === 0) return 'utf-16le'
  return isMost(zerosAt(0)) && zerosAt(1) === 0 ? 'utf-16be' : null
}

function notText(cause?: unknown): AppError {
  return new AppError('invalid', 'This file is not text in UTF-8. Save it as "CSV UTF-8" and try again.', {
    cause,
  })
}
