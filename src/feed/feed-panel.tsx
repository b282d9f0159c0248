import type { FormEvent } from 'react'
import { IslandTime } from '#islands/site/local-time'
import { Button } from '#src/ui/button'
import { urls } from '#src/urls'
import { FeedAddressList } from './feed-address-list'
import type { FeedAddresses, FeedState } from './schema'

/** The title's id: it receives the focus if the pressed button is gone. */
export const feedsTitleId = 'feeds-title'

/** Panel of private feeds in the settings. Its forms work without a script. Browser-safe. */
export function FeedPanel({
  state,
  addresses,
  isBusy,
  onSubmit,
  onCopy,
}: {
  state: FeedState
  /** The addresses that were just created. */
  addresses: FeedAddresses | null
  isBusy: boolean
  onSubmit: (action: 'make' | 'end', event: FormEvent<HTMLFormElement>) => void
  onCopy: (url: string) => void
}) {
  return (
    <section className="panel" id="feeds" aria-labelledby={feedsTitleId}>
      <h2 id={feedsTitleId} tabIndex={-1}>
        Private feeds
      </h2>
      <div className="setting">
        <span>
          <b className="label">{state.isOn ? 'On' : 'Off'}</b>
          <span className="hint">
            {state.isOn && state.createdAt ? (
              <>
                Made <IslandTime at={state.createdAt} />
                {state.lastUsedAt ? (
                  <>
                    , last used <IslandTime at={state.lastUsedAt} />
                  </>
                ) : (
                  ', not used yet'
                )}
              </>
            ) : (
              'What you can hear, in your podcast or reading app.'
            )}
          </span>
        </span>
        <span className="btn-row">
          <FeedForm
            action="make"
            label={state.isOn ? 'Renew the Addresses' : 'Make My Feeds'}
            isBusy={isBusy}
            onSubmit={onSubmit}
          />
          {state.isOn && <FeedForm action="end" label="End My Feeds" isBusy={isBusy} onSubmit={onSubmit} />}
        </span>
      </div>
      {addresses && <FeedAddressList addresses={addresses} onCopy={onCopy} />}
    </section>
  )
}

function FeedForm({
  action,
  label,
  isBusy,
  onSubmit,
}: {
  action: 'make' | 'end'
  label: string
  isBusy: boolean
  onSubmit: (action: 'make' | 'end', event: FormEvent<HTMLFormElement>) => void
}) {
  return (
    <form action={urls.settingsForm('feeds')} method="post" onSubmit={(event) => onSubmit(action, event)}>
      <input type="hidden" name="action" value={action} />
      <Button size="sm" type="submit" isBusy={isBusy}>
        {label}
      </Button>
    </form>
  )
}
