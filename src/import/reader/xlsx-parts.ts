import { posix } from 'node:path'
import { shorten } from '#src/text/shorten'
import { type TimeFormat, timeFormatOf } from './number-format'
import type { Zip } from './open-zip'
import { openTextStore, type TextStore } from './text-store'
import { walkXml } from './walk-xml'

/** The parts of an .xlsx apart from its sheets (ECMA-376 part 1, 18.2 to 18.8). */

type Relation = { id: string; type: string; part: string }

/** The targets that a part of the package, or the package itself (""), refers to. */
export async function relationsOf(zip: Zip, part: string): Promise<Relation[]> {
  const { dir, base } = posix.parse(part)
  const relations: Relation[] = []
  const open = (name: string, { Id = '', Type = '', Target = '' }: Record<string, string>) => {
    if (name !== 'Relationship') return
    const target = posix.join(Target.startsWith('/') ? '' : dir, Target).replace(/^\//, '')
    relations.push({ id: Id, type: posix.basename(Type), part: target })
  }
  await walkPart(zip, posix.join(dir, '_rels', `${base}.rels`), { open })
  return relations
}

export type SheetEntry = { id: string; name: string; isHidden: boolean }

export async function readWorkbookPart(
  zip: Zip,
  part: string,
): Promise<{ sheets: SheetEntry[]; firstDay: number }> {
  const sheets: SheetEntry[] = []
  let firstDay = 0
  await walkPart(zip, part, {
    open(name, attributes) {
      if (name === 'workbookPr' && isOn(attributes.date1904)) firstDay = 1_462
      if (name !== 'sheet') return
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? []
      const isHidden = (attributes.state ?? 'visible') !== 'visible'
      sheets.push({ id, name: shorten(attributes.name ?? '', 100), isHidden })
    },
  })
  return { sheets, firstDay }
}

export const isOn = (value: string | undefined) => value === '1' || value === 'true'

/** Date and time formats by style index; null for a style that shows plain numbers. */
export async function readFormats(zip: Zip, part: string | undefined): Promise<(TimeFormat | null)[]> {
  const codes = new Map<number, string>()
  const formats: (TimeFormat | null)[] = []
  let isCells = false
  if (part === undefined) return formats
  await walkPart(zip, part, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'cellXfs') isCells = true
      else if (name === 'numFmt') codes.set(Number(numFmtId), formatCode.slice(0, 200))
      else if (name === 'xf' && isCells)
        formats.push(timeFormatOf(Number(numFmtId), codes.get(Number(numFmtId))))
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return formats
}

export async function readSharedStrings(zip: Zip, part: string | undefined): Promise<TextStore> {
  const strings = openTextStore()
  if (part === undefined) return strings
  const text = textCollector()
  await walkPart(zip, part, {
    open: text.open,
    close(name, own) {
      text.close(name, own)
      if (name === 'si') strings.add(text.take())
    },
  })
  return strings
}

async function walkPart(zip: Zip, part: string, handlers: Parameters<typeof walkXml>[1]): Promise<void> {
  for await (const _ of walkXml(await zip.read(part), handlers));
}

/** Collects the text of `v` and `t` elements, without phonetic hints. */
export function textCollector() {
  let text = ''
  let phonetic = 0
  return {
    open(name: string) {
      if (name === 'rPh') phonetic += 1
    },
    close(name: string, own: string) {
      if (name === 'rPh') phonetic -= 1
      else if (phonetic === 0 && (name === 't' || name === 'v')) text += own
    },
    take(): string {
      const taken = text
      text = ''
      return taken
    },
  }
}
