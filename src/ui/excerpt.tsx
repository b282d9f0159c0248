import { preview, previewCharactersMax } from '#src/story/rules'

/** The first words of a text, with the rest collapsed. */
export function Excerpt({ text }: { text: string }) {
  const short = preview(text, previewCharactersMax)
  if (short === '') return null
  if (!short.endsWith('…') || short === text) return <p className="excerpt">{text}</p>
  return (
    <details className="excerpt">
      <summary>
        <span className="excerpt-short">{short} </span>
        <span className="more more-open">Read more</span>
        <span className="more more-close">Read less</span>
      </summary>
      <p>{text}</p>
    </details>
  )
}
