/**
 * Maps offsets of the author's text (UTF-16 units) to the page. Each paragraph states its offset (`data-at`) and
 * contains one text node.
 */
export function findWordsOnPage(text: Element) {
  const paragraphs = [...text.querySelectorAll<HTMLElement>('p[data-at]')].flatMap((element) => {
    const node = element.firstChild
    return node instanceof Text ? [{ node, at: Number(element.dataset.at), length: node.data.length }] : []
  })

  /** Returns the paragraph at an offset, or null between two paragraphs. */
  function paragraphAt(place: number) {
    let low = 0
    let high = paragraphs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((paragraphs[middle]?.at ?? 0) <= place) low = middle + 1
      else high = middle
    }
    const found = paragraphs[low - 1]
    return found && place <= found.at + found.length ? found : null
  }

  return {
    /** Returns a part of the text as a range of the page, or null if the page does not contain it. */
    rangeOf(at: number, length: number): Range | null {
      const first = paragraphAt(at)
      const last = paragraphAt(at + length)
      if (!first || !last) return null
      const range = document.createRange()
      range.setStart(first.node, at - first.at)
      range.setEnd(last.node, at + length - last.at)
      return range
    },
    /** Returns the offset in the text under a point of the window, or null beside the text. */
    placeAt(x: number, y: number): number | null {
      const caret = caretAt(x, y)
      const found = caret && paragraphs.find(({ node }) => node === caret.node)
      return caret && found ? found.at + caret.offset : null
    },
  }
}
export type WordsOnPage = ReturnType<typeof findWordsOnPage>

function caretAt(x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const position = document.caretPositionFromPoint(x, y)
    return position && { node: position.offsetNode, offset: position.offset }
  }
  return null
}
