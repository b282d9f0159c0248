import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { memoize } from '#src/process/memoize'
import type { Provider } from '#src/social/rules'
import { Document, type Frame } from '#src/ui/document'
import { IslandCodes } from '#src/ui/island'
import type { Manifest } from '#src/ui/manifest'
import type { Section } from '#src/ui/navigation'
import { Shell } from '#src/ui/shell'
import type { FrameViewer, ThemeName } from '#src/ui/viewer'

/** All that the markup around a page depends on, as plain data; nothing that one member alone has. */
export type FrameOptions = {
  frame: Frame
  section: Section | null
  viewer: FrameViewer
  theme: ThemeName | null
  isDiscreet: boolean
  previewSeconds: number | null
  isApp: boolean
  asksConsent: boolean
  providers: readonly Provider[]
}

/** What is drawn for each request, and laid into the frame. */
export type PageParts = {
  head: ReactNode
  /** See `Viewer.owner`. */
  owner: string | null | undefined
  body: ReactNode
  /** Behind the page. */
  after: ReactNode
}

/** Where the parts of a page stand in the markup of its frame. */
const slots = { head: 'slot:head', owner: 'slot:owner', body: 'slot:body', after: 'slot:after' }

/** The pieces of a frame between its slots. */
const cachedFrame = memoize<readonly string[]>(500)

/** Draws a page: its own parts, and around them the frame, which is drawn once. */
export function renderInFrame(manifest: Manifest, options: FrameOptions, parts: PageParts): string {
  const pieces = cachedFrame(JSON.stringify([manifest.build, options]), () => cut(draw(manifest, options)))
  const [upToHead, upToOwner, upToBody, upToAfter, rest] = pieces
  const render = (part: ReactNode) => renderPart(manifest, part)
  const owner = parts.owner === undefined ? '' : ` data-owner="${Bun.escapeHTML(parts.owner ?? '')}"`
  return `<!doctype html>${upToHead}${render(parts.head)}${upToOwner}${owner}${upToBody}${render(parts.body)}${upToAfter}${render(parts.after)}${rest}`
}

/** Draws a part of a page apart from it. */
export function renderPart({ islandCodes }: Manifest, part: ReactNode): string {
  return renderToString(<IslandCodes value={islandCodes}>{part}</IslandCodes>)
}

function draw(manifest: Manifest, { frame, section, viewer, ...options }: FrameOptions): string {
  const isFramed = frame === 'shell' || frame === 'console'
  return renderToString(
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
}

/** Cuts the markup of a frame at its slots. */
function cut(markup: string): string[] {
  const marks = [`<meta name="${slots.head}"/>`, ` data-owner="${slots.owner}"`, slots.body, slots.after]
  const pieces: string[] = []
  let rest = markup
  for (const mark of marks) {
    const at = rest.indexOf(mark)
    if (at < 0) throw new Error(`The frame has no place for ${mark}.`)
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at + mark.length)
  }
  return [...pieces, rest]
}
