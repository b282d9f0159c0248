import type { Section } from '#src/ui/side-links'

/** Lists the sections of a text's markup: its second-level headings, in order. */
export function listSections(markup: string): Section[] {
  const headings: { id: string; html: string }[] = []
  new HTMLRewriter()
    .on('h2[id]', {
      element: (heading) => void headings.push({ id: heading.getAttribute('id') ?? '', html: '' }),
      text({ text }) {
        const heading = headings.at(-1)
        if (heading) heading.html += text
      },
    })
    .transform(markup)
  return headings.map(({ id, html }) => ({
    id,
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the heading's text, as escaped as it stands there
    name: <span dangerouslySetInnerHTML={{ __html: html }} />,
  }))
}
