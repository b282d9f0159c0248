import type { FormEvent } from 'react'
import { Moment } from '#islands/moment'
import { Button } from '#src/ui/button'
import { urls } from '#src/urls'
import type { OpenSession } from './operator-schema'

/** Where the member is signed in, and the way to end all but this. */
export function SessionPanel({
  sessions,
  isBusy,
  onSubmit,
}: {
  sessions: OpenSession[]
  isBusy: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}) {
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <section className="panel" id="sessions" aria-labelledby="sessions-title">
      <div className="panel-head">
        <h2 id="sessions-title">Active sessions</h2>
        {hasOthers && (
          <form action={urls.settingsForm('sessions')} method="post" onSubmit={onSubmit}>
            <Button size="sm" type="submit" disabled={isBusy}>
              Sign out elsewhere
            </Button>
          </form>
        )}
      </div>
      {sessions.map(({ id, device, lastSeenAt, isCurrent }) => (
        <div className="setting" key={id}>
          <span>
            <b className="label">{device}</b>
            <span className="hint">
              {isCurrent ? (
                'This device'
              ) : (
                <>
                  Last seen <Moment at={lastSeenAt} />
                </>
              )}
            </span>
          </span>
        </div>
      ))}
    </section>
  )
}
