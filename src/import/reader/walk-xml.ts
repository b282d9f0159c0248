import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import { noteGarbage } from './note-garbage'

export type XmlHandlers = {
  open?(name: string, attributes: Record<string, string>): void
  /** `text` is the element's own text, without that of its child elements. */
  close?(name: string, text: string): void
}

/** A workbook needs nine levels. */
const depthMax = 64

/**
 * Walks XML as a stream, with no more than one text in memory; names have no prefix. Yields after each chunk. Throws if
 * the XML is not well-formed, declares entities, or is nested too deeply.
 */
export async function* walkXml(source: Readable, { open, close }: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser()
  const texts: string[] = []
  parser.on('doctype', () => {
    throw new Error('A workbook declares no document type.')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (texts.push('') > depthMax) throw new Error('This XML is nested too deeply.')
    open?.(plainName(name), attributes)
  })
  const addText = (text: string) => {
    const before = texts.pop()
    if (before !== undefined) texts.push(before + text)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ name }) => close?.(plainName(name), texts.pop() ?? ''))
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of source) {
    noteGarbage(chunk.byteLength)
    parser.write(decoder.decode(chunk, { stream: true }))
    yield
  }
  parser.write(decoder.decode()).close()
  yield
}

function plainName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
