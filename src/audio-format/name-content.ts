/**
 * The type of a file by its first bytes: `mp3`, `wav`, `m4a`, `unknown`, or another type with its name for a sentence.
 */
export type Content = { kind: 'mp3' | 'wav' | 'm4a' | 'unknown' } | { kind: 'other'; name: string }

/** Bytes to read: enough for every type that is recognised here. */
export const contentHeadBytes = 8 * 1024

/** Determines the type from the first 8 KB of a file. */
export async function nameContent(head: Uint8Array): Promise<Content> {
  if (head.byteLength === 0) return { kind: 'other', name: 'empty' }
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (!found) return isText(head) ? { kind: 'other', name: textName(head) } : { kind: 'unknown' }
  if (found.ext === 'mp3' || found.ext === 'wav' || found.ext === 'm4a') return { kind: found.ext }
  // An MP4 without the M4A brand may still hold only audio; walking it decides.
  if (found.ext === 'mp4' || found.ext === 'm4b') return { kind: 'm4a' }
  return { kind: 'other', name: names[found.ext] ?? nameOfType(found.ext, found.mime) }
}

const names: Record<string, string> = {
  exe: 'a Windows program',
  elf: 'a Linux program',
  macho: 'a Mac program',
  zip: 'a ZIP archive',
  docx: 'a Word document',
  xlsx: 'an Excel workbook',
  pdf: 'a PDF',
  xml: 'an XML text',
  aac: 'AAC sound without a container',
  ogg: 'an Ogg file',
  mp1: 'MPEG layer 1 sound',
  mp2: 'MPEG layer 2 sound',
}

function nameOfType(extension: string, mime: string): string {
  const [family] = mime.split('/')
  if (family === 'image') return `a picture (${extension.toUpperCase()})`
  if (family === 'video') return `a video (${extension.toUpperCase()})`
  return `a file of the type ${extension.toUpperCase()}`
}

/** Whether the bytes are text: UTF-8, with no control characters except those of white space. */
function isText(head: Uint8Array): boolean {
  if (head.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13)) return false
  // A full head may end inside of a character, so its last three bytes are ignored.
  const whole = head.byteLength < contentHeadBytes ? head : head.subarray(0, -3)
  const text = new TextDecoder('utf-8').decode(whole)
  return !text.slice(0, -3).includes('\ufffd')
}

function textName(head: Uint8Array): string {
  const start = new TextDecoder().decode(head.subarray(0, 1_024)).trimStart().toLowerCase()
  if (/^(<!doctype html|<html|<head|<body|<script)/.test(start)) return 'a web page'
  if (start.startsWith('#!')) return 'a script'
  return 'plain text'
}
