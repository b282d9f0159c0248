import MarkdownIt from 'markdown-it'
import { normalizeText } from '#src/text/normalize'

/**
 * CommonMark with tables, for operators' texts: HTML is shown as typed, addresses that run code are no links, and
 * images are left out, since a page makes no requests to other sites.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable('image')
markdown.validateLink = (address) => /^(https?|mailto|tel):/i.test(address) || !/^[^/?#]*:/.test(address)

markdown.renderer.rules.heading_open = (tokens, at, options) => {
  tokens[at]?.attrSet('id', slugOf(tokens[at + 1]?.content ?? ''))
  return markdown.renderer.renderToken(tokens, at, options)
}
markdown.renderer.rules.link_open = (tokens, at, options) => {
  tokens[at]?.attrSet('class', 'link')
  tokens[at]?.attrSet('rel', 'noopener noreferrer')
  return markdown.renderer.renderToken(tokens, at, options)
}
// Wide tables scroll within themselves.
markdown.renderer.rules.table_open = () =>
  '<div class="table-wrap" tabindex="0" role="region" aria-label="Table"><table class="table">'
markdown.renderer.rules.table_close = () => '</table></div>'

/** A text as a page's title (its first line, where that is a heading of the first level) and the markup of the rest. */
export function renderMarkdown(text: string): { title: string | null; html: string } {
  const [, title, rest] = text.match(/^\s*# +(.+?) *#*\s*(?:\n([\s\S]*))?$/) ?? []
  const html = markdown.render(title === undefined ? text : (rest ?? ''))
  // One page has one title: a second heading of the first level is a section.
  return { title: title?.trim() ?? null, html: html.replace(/<(\/?)h1\b/g, '<$1h2') }
}

/** "Content notes" → "content-notes". */
function slugOf(heading: string): string {
  return normalizeText(heading.toLowerCase(), 'NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
