import { urls } from '#src/urls'

/** The logo: a window under a moon, with one pane lit. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 26 26" aria-hidden="true">
      <path
        d="M4.5 24V12a8.500 8.500 0 0 1 17 0v12z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinejoin="round"
      />
      <path
        d="M16.600 8.200a5.300 5.300 0 1 0 1.100 7.700 4.600 4.600 0 0 1-1.100-7.700z"
        fill="currentColor"
      />
    </svg>
  )
}

/** The site's name as a link: to a member's start page, or to Explore. */
export function Brand({ siteName, isMember = false }: { siteName: string; isMember?: boolean }) {
  return (
    <a className="brand" data-live="brand" href={isMember ? urls.home() : urls.explore()}>
      <BrandMark />
      <span>{siteName}</span>
    </a>
  )
}
