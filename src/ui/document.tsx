import type { ReactNode } from 'react'
import { pictureSizes } from '#src/picture/rules'
import type { Provider } from '#src/social/rules'
import { toDataBlock } from '#src/ui/data-block'
import { discreetTitle } from '#src/ui/discreet'
import { IslandCodes } from '#src/ui/island'
import type { Manifest } from '#src/ui/manifest'
import type { ThemeName } from '#src/ui/viewer'
import { urls } from '#src/urls'

/** The frame around the content. Soft navigation leaves a frame in place if both pages have the same one. */
export type Frame = 'shell' | 'console' | 'reader' | 'bare'

export type PageMeta = {
  /** The title without the site's name, which is appended. */
  title: string
  description?: string
  /** An absolute address. */
  canonicalUrl?: string
  openGraph?: { type: 'website' | 'article' | 'music.song'; image: PageImage; url?: string }
  /** JSON-LD: an object of a schema.org type. */
  structuredData?: object
  isIndexed?: boolean
}

/** An image in one of `pictureSizes`, with an absolute address. */
type PageImage = { url: string; alt: string }

/** The label of the Association of Sites Advocating Child Protection: adults only, for parental filters. */
const rtaLabel = 'RTA-5042-1996-1400-1577-RTA'

/**
 * The whole HTML document. The hosts of what outlives a page (player, toasts, dialogs) are siblings of the page, which
 * soft navigation does not replace.
 */
export function Document({
  siteName,
  theme,
  isDiscreet = false,
  hasPin = false,
  owner,
  previewSeconds = null,
  asksConsent = false,
  isApp = true,
  manifest,
  frame,
  providers = [],
  head,
  children,
}: {
  siteName: string
  theme: ThemeName | null
  /** Whether the head must not reveal the kind of site. */
  isDiscreet?: boolean
  /** Whether a PIN protects the member's library, so that the service worker lists nothing without a network. */
  hasPin?: boolean
  /** The member at this browser. Null for a visitor; undefined if that must not be revealed (behind a PIN). */
  owner?: string | null
  /** Seconds of premium audio that a visitor may hear. Null for members and operators. */
  previewSeconds?: number | null
  /** Whether to ask the visitor for consent, without which nothing is tracked. */
  asksConsent?: boolean
  /** Whether the site can be installed and saves items offline. */
  isApp?: boolean
  manifest: Manifest
  frame: Frame
  /** Providers whose accounts can sign in here, for the dialog. */
  providers?: readonly Provider[]
  /** The page's part of the head: a `PageHead`. */
  head: ReactNode
  children: ReactNode
}) {
  return (
    <html lang="en" data-theme={theme ?? undefined} data-consent={asksConsent ? 'ask' : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="rating" content={rtaLabel} />
        <meta name="color-scheme" content="dark light" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#12131b" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6efe2" />
        <meta name="nocturne-build" content={manifest.build} />
        {manifest.preload.fonts.map((font) => (
          <link
            key={font}
            rel="preload"
            href={urls.asset(font)}
            as="font"
            type="font/woff2"
            crossOrigin="anonymous"
          />
        ))}
        <link rel="preload" href={urls.asset(manifest.preload.icons)} as="image" crossOrigin="anonymous" />
        <link rel="stylesheet" href={urls.asset(manifest.styles)} />
        {frame === 'console' && <link rel="stylesheet" href={urls.asset(manifest.consoleStyles)} />}
        <Icons manifest={manifest} isDiscreet={isDiscreet} />
        {isApp && <link rel="manifest" href={urls.webManifest(isDiscreet ? { look: 'discreet' } : {})} />}
        {head}
        <script type="module" src={urls.asset(manifest.loader)} />
      </head>
      <body
        className={frame === 'console' ? 'console' : undefined}
        data-frame={frame}
        data-discreet={isDiscreet ? '' : undefined}
        data-pin={hasPin ? '' : undefined}
        data-site={siteName}
        data-owner={owner === undefined ? undefined : (owner ?? '')}
        data-visitor={previewSeconds ?? undefined}
        data-providers={providers.join(' ') || undefined}
      >
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        <div id="page">
          <IslandCodes value={manifest.islandCodes}>{children}</IslandCodes>
        </div>
        <div id="player-host">
          {/* Here before the player, so that the first press can load it (lazy-islands.ts). */}
          {/* biome-ignore lint/a11y/useMediaCaption: the item's text is on its page */}
          <audio />
        </div>
        <div id="dialog-host" />
        <div id="toast-host">
          <p id="announcer" className="visually-hidden" role="status" aria-live="polite" />
        </div>
      </body>
    </html>
  )
}

/** The title of a page, and the data that search engines and link previews read. */
export function PageHead({
  siteName,
  isDiscreet = false,
  meta,
}: {
  siteName: string
  isDiscreet?: boolean
  meta: PageMeta
}) {
  if (isDiscreet) return <title>{discreetTitle}</title>
  return (
    <>
      <title>{`${meta.title} – ${siteName}`}</title>
      <Description siteName={siteName} meta={meta} />
    </>
  )
}

function Description({ siteName, meta }: { siteName: string; meta: PageMeta }) {
  const { openGraph } = meta
  return (
    <>
      {meta.description && <meta name="description" content={meta.description} />}
      {meta.isIndexed === false && <meta name="robots" content="noindex" />}
      {meta.canonicalUrl && <link rel="canonical" href={meta.canonicalUrl} />}
      {openGraph && (
        <>
          <meta property="og:site_name" content={siteName} />
          <meta property="og:title" content={meta.title} />
          <meta property="og:type" content={openGraph.type} />
          {meta.description && <meta property="og:description" content={meta.description} />}
          {openGraph.url && <meta property="og:url" content={openGraph.url} />}
          <meta property="og:image" content={openGraph.image.url} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(pictureSizes.card.width)} />
          <meta property="og:image:height" content={String(pictureSizes.card.height)} />
          <meta property="og:image:alt" content={openGraph.image.alt} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {meta.structuredData && (
        <script
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: toDataBlock escapes what could end the block
          dangerouslySetInnerHTML={{ __html: toDataBlock(meta.structuredData) }}
        />
      )}
    </>
  )
}

function Icons({ manifest, isDiscreet }: { manifest: Manifest; isDiscreet: boolean }) {
  const favicon = manifest.files[isDiscreet ? 'plain.svg' : 'favicon.svg']
  const touchIcon = isDiscreet ? undefined : manifest.files['apple-touch-icon.png']
  return (
    <>
      {favicon && <link rel="icon" href={urls.asset(favicon)} type="image/svg+xml" />}
      {touchIcon && <link rel="apple-touch-icon" href={urls.asset(touchIcon)} />}
    </>
  )
}
