import { AppError } from '#src/app-error'
import { isHeading, linesAboveMax } from '#src/import/rows/find-heading'

/** Magic numbers: a file's first bytes say what it is, whatever its name says. */

const zipMagic = [0x50, 0x4b, 0x03, 0x04]
const oleMagic = [0xd0, 0xcf, 0x11, 0xe0]

function startsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => head[at] === byte)
}

/** Whether the file is a zip or an OLE container, as all workbooks are. */
export function isWorkbook(head: Uint8Array): boolean {
  return startsWith(head, zipMagic) || startsWith(head, oleMagic)
}

export function isZip(head: Uint8Array): boolean {
  return startsWith(head, zipMagic)
}

/** Throws `invalid` for a PDF, and for a web page or XML that a program saved under a workbook's name. */
export function refuseOtherFormats(head: Uint8Array): void {
  const text = new TextDecoder('latin1').decode(head).replaceAll('\0', '').slice(0, 2_000)
  const what = /^\W*<(?:!doctype html|html|head|body|table|meta|style)\b/i.test(text)
    ? 'a web page (HTML)'
    : /^\W*<\?xml[\s\S]*<(?:\w+:)?Workbook\b/.test(text)
      ? 'an XML spreadsheet of 2003'
      : text.startsWith('%PDF')
        ? 'a PDF'
        : null
  if (!what) return
  throw new AppError(
    'invalid',
    `This file is ${what} inside, despite its name. Open it in a spreadsheet program, save it as .xlsx, and send that.`,
  )
}

/** Whether one of the first lines of a text names known columns. */
export function looksLikeTable(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head).replaceAll('\0', '')
  const lines = text.split(/\r\n?|\n/, linesAboveMax)
  return lines.some((line) =>
    [',', ';', '\t', '|'].some((separator) => {
      const cells = line.split(separator).map((cell) => cell.replaceAll('"', ''))
      return isHeading({ row: 1, cells })
    }),
  )
}
