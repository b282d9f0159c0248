import MarkdownIt from 'markdown-it'
import { normalizeText } from '#src/text/normalize'

/**
 * CommonMark with tables, for operators' texts. HTML is shown as text, addresses that run code are not links, and
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
// Wide tables scroll horizontally in a wrapper.
markdown.renderer.rules.table_open = () =>
  '<div class="table-wrap" tabindex="0" role="region" aria-label="Table"><table class="table">'
markdown.renderer.rules.table_close = () => '</table></div>'

/** Splits a text into a page's title (its first line, if that is a first-level heading) and the markup of the rest. */
export function renderMarkdown(text: string): { title: string | null; html: string } {
  const [, title, rest] = text.match(/^\s*# +(.+?) *#*\s*(?:\n([\s\S]*))?$/) ?? []
  const html = markdown.render(title === undefined ? text : (rest ?? ''))
  // A page has one title, so other first-level headings become sections.
  return { title: title?.trim() ?? null, html: html.replace(/<(\/?)h1\b/g, '<$1h2') }
}

/** "Content notes" → "content-notes". */
function slugOf(heading: string): string {
  return normalizeText(heading.toLowerCase(), 'NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
