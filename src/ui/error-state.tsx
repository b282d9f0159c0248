import type { ReactNode } from 'react'
import { ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

/** Says what happened, and how to fix it. */
export function ErrorState({
  title,
  words,
  children,
}: {
  title: string
  words?: string
  children?: ReactNode
}) {
  return (
    <div className="empty" role="alert">
      <Icon name="i-lucide-triangle-alert" />
      <h2 className="title-md">{title}</h2>
      {words && <p className="lead">{words}</p>}
      {children}
    </div>
  )
}

/** Replaces a list that cannot be read. The link has an empty address, which is the current page. */
export function ContentError() {
  return (
    <ErrorState title="Error loading content" words="Please try refreshing the page">
      <ButtonLink kind="quiet" href="" data-hard="">
        Refresh Page
      </ButtonLink>
    </ErrorState>
  )
}
