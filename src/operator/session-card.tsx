import { consoleUrls } from '#src/console-urls'
import { Button } from '#src/ui/button'
import { LocalTime } from '#src/ui/local-time'
import type { OperatorSession } from './session-schema'

/** Card with the operators' sessions. Its plain forms work without a script, and by keyboard. */
export function SessionCard({ sessions }: { sessions: readonly OperatorSession[] }) {
  return (
    <section className="section section-next panel" id="sessions" aria-labelledby="sessions-title">
      <div className="panel-head">
        <h2 id="sessions-title">Operator sessions</h2>
        {sessions.some(({ isCurrent }) => !isCurrent) && (
          <form action={consoleUrls.adminSessions()} method="post">
            <Button size="sm" type="submit">
              End all others
            </Button>
          </form>
        )}
      </div>
      {sessions.map(({ id, name, device, startedAt, lastSeenAt, isCurrent }) => (
        <div className="setting" key={id}>
          <span>
            <b className="label">
              {name}, {device}
            </b>
            <span className="hint">
              {isCurrent ? 'This session, since ' : 'Since '}
              <LocalTime at={startedAt} />
              {!isCurrent && (
                <>
                  , last seen <LocalTime at={lastSeenAt} />
                </>
              )}
            </span>
          </span>
          {!isCurrent && (
            <form action={consoleUrls.adminSessions()} method="post">
              <input type="hidden" name="id" value={id} />
              <Button size="sm" type="submit" aria-label={`End the session of ${name}, ${device}`}>
                End
              </Button>
            </form>
          )}
        </div>
      ))}
      <p className="hint">
        A new token ends them all: <span className="mono">nocturne token rotate</span>
      </p>
    </section>
  )
}
