import type { FormEvent } from 'react'
import { IslandTime } from '#islands/site/local-time'
import type { OpenSession } from '#src/member/console/operator-schema'
import { Button } from '#src/ui/button'
import { urls } from '#src/urls'

/** The heading gets the focus when the button beside it is gone. */
export const sessionsTitleId = 'sessions-title'

/** The member's sessions, with a button that ends all but this one, and private feeds. */
export function SessionPanel({
  sessions,
  hasFeeds,
  ended,
  isBusy,
  onSubmit,
}: {
  sessions: OpenSession[]
  hasFeeds: boolean
  /** Describes the access that has just ended. */
  ended: string | null
  isBusy: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}) {
  const hasOthers = hasFeeds || sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <section className="panel" id="sessions" aria-labelledby={sessionsTitleId}>
      <div className="panel-head">
        <h2 id={sessionsTitleId} tabIndex={-1}>
          Active sessions
        </h2>
        {hasOthers && (
          <form action={urls.settingsForm('sessions')} method="post" onSubmit={onSubmit}>
            <Button size="sm" type="submit" isBusy={isBusy}>
              Sign out elsewhere
            </Button>
          </form>
        )}
      </div>
      {ended ? (
        <p className="hint">{ended}</p>
      ) : (
        hasOthers && <p className="hint">Private feeds and links in earlier mails end too.</p>
      )}
      {sessions.map(({ id, device, lastSeenAt, isCurrent }) => (
        <div className="setting" key={id}>
          <span>
            <b className="label">{device}</b>
            <span className="hint">
              {isCurrent ? (
                'This device'
              ) : (
                <>
                  Last seen <IslandTime at={lastSeenAt} />
                </>
              )}
            </span>
          </span>
        </div>
      ))}
    </section>
  )
}
