/** An XML element with its attributes and its content: elements, or text, which is escaped. */
export type XmlElement = {
  name: string
  attributes?: Record<string, string | number>
  content?: string | readonly XmlElement[]
}

/** Prints an XML 1.0 document in UTF-8. */
export function printXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printElement(root)}\n`
}

function printElement({ name, attributes = {}, content = '' }: XmlElement): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(String(value))}"`)
  const inside = typeof content === 'string' ? escapeText(content) : content.map(printElement).join('')
  return `<${name}${written.join('')}>${inside}</${name}>`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text, and leaves out characters that XML 1.0 cannot represent (2.2 Characters). */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
