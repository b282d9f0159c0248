import { ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'
import type { CreateKind } from './create-form'

/** The screen's title, and a link to its other half; no link while an item is edited. */
export function CreateHead({ title, kind }: { title: string; kind: CreateKind | null }) {
  return (
    <header className="page-head">
      <h1 className="title-lg">{title}</h1>
      {kind && (
        <nav className="segment" aria-label="What to make">
          <a href={urls.create()} aria-current={kind === 'audio' ? 'page' : undefined}>
            <Icon name="i-lucide-sm-mic" />
            Audio
          </a>
          <a href={urls.createStories()} aria-current={kind === 'story' ? 'page' : undefined}>
            <Icon name="i-lucide-sm-pen-line" />
            Story
          </a>
        </nav>
      )}
    </header>
  )
}

/** Hint for a visitor before they write. */
export function VisitorNotice({ next }: { next: string }) {
  return (
    <div className="stack make-note">
      <Notice
        action={
          <ButtonLink
            kind="quiet"
            size="sm"
            href={urls.signIn({ mode: 'register', next })}
            data-auth="register"
          >
            Join FREE
          </ButtonLink>
        }
      >
        <b>What you make is kept in an account, which is free.</b> Begin right away: nothing that you type is
        lost when you join or sign in.
      </Notice>
    </div>
  )
}
