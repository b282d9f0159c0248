import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { memoize } from '#src/process/memoize'
import type { Provider } from '#src/social/rules'
import { Document, type Frame, PageHead, type PageMeta } from '#src/ui/document'
import { IslandCodes } from '#src/ui/island'
import type { Manifest } from '#src/ui/manifest'
import { joinPieces, Markup, type Piece, toPiece } from '#src/ui/markup'
import type { Section } from '#src/ui/navigation'
import { Shell } from '#src/ui/shell'
import type { FrameViewer, ThemeName } from '#src/ui/viewer'

/** Everything that the markup around a page depends on, as plain data; nothing that is specific to one member. */
export type FrameOptions = {
  frame: Frame
  section: Section | null
  viewer: FrameViewer
  theme: ThemeName | null
  isDiscreet: boolean
  hasPin: boolean
  previewSeconds: number | null
  isApp: boolean
  asksConsent: boolean
  providers: readonly Provider[]
}

/** The parts that are rendered for each request and inserted into the frame. */
export type PageParts = {
  meta: PageMeta
  /** See `Viewer.owner`. */
  owner: string | null | undefined
  body: ReactNode | Markup
  /** Rendered after the page. */
  after: ReactNode
}

/** Placeholders in a frame's markup, one for each part of the page. */
const slots = { head: 'slot:head', owner: 'slot:owner', body: 'slot:body', after: 'slot:after' }

/** Frames by their options, cut at the placeholders. */
const cachedFrame = memoize<readonly Piece[]>(500)
/** The `<head>` elements that describe a page, by its metadata. */
const cachedHead = memoize<Piece>(500)

/** Renders a page: its own parts each time, and the frame around them from a cache. */
export function renderInFrame(manifest: Manifest, options: FrameOptions, parts: PageParts): Piece {
  const pieces = cachedFrame(JSON.stringify([manifest.build, options]), () => cut(draw(manifest, options)))
  const owner = parts.owner === undefined ? '' : ` data-owner="${Bun.escapeHTML(parts.owner ?? '')}"`
  const rendered = [
    [drawHead(options, parts.meta)],
    [toPiece(owner)],
    drawPart(manifest, parts.body),
    drawPart(manifest, parts.after),
  ]
  return joinPieces(pieces.flatMap((piece, at) => [piece, ...(rendered[at] ?? [])]))
}

function drawHead({ viewer: { siteName }, isDiscreet }: FrameOptions, meta: PageMeta): Piece {
  const props = { siteName, isDiscreet, meta }
  return cachedHead(JSON.stringify(props), () => toPiece(renderToString(<PageHead {...props} />)))
}

/** Renders a part of a page on its own. */
export function drawPart({ islandCodes }: Manifest, part: ReactNode | Markup): readonly Piece[] {
  if (part instanceof Markup) return part.pieces
  if (part === null || part === undefined) return []
  return [toPiece(renderToString(<IslandCodes value={islandCodes}>{part}</IslandCodes>))]
}

function draw(manifest: Manifest, { frame, section, viewer, ...options }: FrameOptions): string {
  const isFramed = frame === 'shell' || frame === 'console'
  const markup = renderToString(
    <Document
      {...options}
      siteName={viewer.siteName}
      manifest={manifest}
      frame={frame}
      owner={slots.owner}
      head={<meta name={slots.head} />}
    >
      {isFramed ? (
        <Shell viewer={viewer} section={section} frame={frame}>
          {slots.body}
        </Shell>
      ) : (
        slots.body
      )}
      {slots.after}
    </Document>,
  )
  return `<!doctype html>${markup}`
}

/** Cuts the markup of a frame at its placeholders. */
function cut(markup: string): Piece[] {
  const marks = [`<meta name="${slots.head}"/>`, ` data-owner="${slots.owner}"`, slots.body, slots.after]
  const pieces: string[] = []
  let rest = markup
  for (const mark of marks) {
    const at = rest.indexOf(mark)
    if (at < 0) throw new Error(`The frame has no place for ${mark}.`)
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at + mark.length)
  }
  return [...pieces, rest].map(toPiece)
}
