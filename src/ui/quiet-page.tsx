import type { ReactNode } from 'react'
import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { Icon } from '#src/ui/icon'
import { QuietPage } from '#src/ui/quiet-frame'
import { urls } from '#src/urls'

/** The page of an error, by its status. `message` is safe to show to anyone. */
export function ErrorPage({
  status,
  message,
  requestId,
}: {
  status: number
  message?: string
  requestId?: string
}) {
  if (status === 404) return <NotFoundPage />
  if (status === 503) return <AwayPage />
  if (status >= 500) return <BrokenPage requestId={requestId} />
  return (
    <QuietPage code={String(status)} title="That did not work" words={message ?? 'The request was declined.'}>
      {status === 422 ? <WithoutQueryLink /> : <RetryLink label="Try Again" />}
      <ExploreLink />
    </QuietPage>
  )
}

/** The page for addresses that do not exist. */
function NotFoundPage() {
  return (
    <EmptyState
      title="404 Page Not Found"
      words="This door opens on nothing. The library is the other way."
      isPage
    >
      <ButtonLink kind="primary" href={urls.explore()}>
        Explore Audios
      </ButtonLink>
    </EmptyState>
  )
}

/** The page for an error of ours. `requestId` finds it in the log. */
function BrokenPage({ requestId }: { requestId?: string }) {
  return (
    <QuietPage
      code="500"
      title="Something broke on our side"
      words="It was not you. The error was recorded, and your place in the story is kept."
      art={<path d="M72 40l-9 12 11 8-9 13" stroke="var(--bad)" strokeWidth="2" />}
    >
      <RetryLink label="Try Again" />
      <ExploreLink />
      {requestId && (
        <span className="meta">
          If you write to us: <span className="mono">{requestId}</span>
        </span>
      )}
    </QuietPage>
  )
}

/** The page for times when the database is unavailable. */
function AwayPage() {
  return (
    <QuietPage
      code="503"
      title="Back in a few minutes"
      words="The library is being maintained. What you saved is safe."
      art={
        <>
          <circle cx="60" cy="84" r="9" stroke="var(--accent)" fill="var(--bg-sunk)" />
          <path d="M60 79v5l3 3" stroke="var(--accent)" />
        </>
      }
    >
      <RetryLink label="Refresh Page" />
    </QuietPage>
  )
}

/** The page that the service worker shows without a network. */
export function OfflinePage({
  hasItems,
  offlineItems,
}: {
  /** Whether anything is saved on this device. Null while that is unknown. */
  hasItems: boolean | null
  offlineItems?: ReactNode
}) {
  return (
    <QuietPage
      code="Offline"
      title="No network here"
      words={offlineWords(hasItems)}
      art={
        <>
          <path
            d="M34 46a36 36 0 0 1 52 0M43 56a23 23 0 0 1 34 0M52 66a11 11 0 0 1 16 0"
            stroke="var(--info)"
          />
          <path d="M36 88L84 36" stroke="var(--text-2)" strokeWidth="2" />
        </>
      }
    >
      {offlineItems}
      <RetryLink label="Try Again" />
    </QuietPage>
  )
}

function offlineWords(hasItems: boolean | null): string {
  if (hasItems)
    return 'Items kept on this device still play. What you hear now is counted when the network is back.'
  const nothing = hasItems === false ? 'Nothing is kept on this device. ' : ''
  return `${nothing}This page comes back with the network.`
}

/** An empty address means the current page, whatever it is. */
function RetryLink({ label }: { label: string }) {
  return (
    <ButtonLink kind="quiet" href="" data-hard="">
      <Icon name="i-lucide-sm-refresh-cw" />
      {label}
    </ButtonLink>
  )
}

/** Drops the query: if it was refused, it would be refused again. */
function WithoutQueryLink() {
  return (
    <ButtonLink kind="quiet" href="?" data-hard="">
      Start This Page Over
    </ButtonLink>
  )
}

function ExploreLink() {
  return (
    <ButtonLink kind="ghost" href={urls.explore()}>
      Explore Audios
    </ButtonLink>
  )
}
