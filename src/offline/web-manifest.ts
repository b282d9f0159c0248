import { discreetTitle } from '#src/ui/discreet'
import type { Manifest } from '#src/ui/manifest'
import { urls } from '#src/urls'

/** With `discreet` the app has an inconspicuous name on the home screen, and no logo. */
export type AppLook = 'named' | 'discreet'

/** The manifest that lets a browser install the site as an app (W3C Web Application Manifest). */
export function webManifest(siteName: string, files: Manifest['files'], look: AppLook = 'named') {
  const name = look === 'discreet' ? discreetTitle : siteName
  return {
    id: '/',
    name,
    short_name: name,
    start_url: urls.home(),
    scope: '/',
    display: 'standalone',
    lang: 'en',
    // The colour of the dark theme, since a manifest has one colour for both themes.
    theme_color: nightColor,
    background_color: nightColor,
    icons: look === 'discreet' ? [plainIcon] : iconsOf(files),
  }
}

/** `--bg` of the dark theme in src/ui/look/tokens.css. */
const nightColor = '#12131b'

/** A plain square with three lines of a page, without a logo. */
const plainIcon = {
  src: `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" fill="#3a3f4b"/><path d="M144 190h224M144 256h224M144 322h144" stroke="#d8dbe2" stroke-width="28" stroke-linecap="round"/></svg>',
  )}`,
  sizes: 'any',
  type: 'image/svg+xml',
  purpose: 'any maskable',
}

function iconsOf(files: Manifest['files']) {
  const icons = [
    { name: 'icon-192.png', sizes: '192x192', purpose: 'any' },
    { name: 'icon-512.png', sizes: '512x512', purpose: 'any' },
    { name: 'icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
  ]
  return icons.flatMap(({ name, ...icon }) => {
    const file = files[name]
    return file ? [{ src: urls.asset(file), type: 'image/png', ...icon }] : []
  })
}
