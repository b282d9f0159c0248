import { normalizeText } from '#src/text/normalize'

/** A title without case, diacritics and punctuation: "The Café's Gift!" and "the cafes gift" are one item. */
export function titleKey(title: string): string {
  const words = normalizeText(title, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’ʼ]/g, '')
    .match(/[\p{L}\p{N}]+/gu)
  return words?.join(' ') ?? title.trim().toLowerCase()
}

/** The title as a part of an address: "the-cafes-gift". "untitled" if it has no usable characters. */
export function slugOf(title: string): string {
  const ascii = titleKey(title)
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/ø/g, 'o')
    .replace(/[^a-z0-9]+/g, '-')
  return (
    ascii
      .replace(/^-+|-+$/g, '')
      .slice(0, 80)
      .replace(/-+$/, '') || 'untitled'
  )
}
