import { type FormEvent, useEffect, useState } from 'react'
import { copyAddress } from '#islands/listening/share-item'
import { api } from '#islands/runtime/api'
import { emit, listen } from '#islands/runtime/events'
import { passFocus } from '#islands/runtime/pass-focus'
import { readChanged } from '#islands/runtime/read-changed'
import { useSubmit } from '#islands/runtime/use-submit'
import { FeedPanel, feedsTitleId } from '#src/feed/feed-panel'
import type { FeedAddresses, FeedState } from '#src/feed/schema'

/** Private feeds, created and revoked without leaving the settings. */
export default function PrivateFeeds(props: { state: FeedState }) {
  const [state, setState] = useState(props.state)
  const [addresses, setAddresses] = useState<FeedAddresses | null>(null)
  const { isBusy, submit: submitOne } = useSubmit({ title: 'Error' })

  useEffect(
    () =>
      listen('nocturne:feeds', (feeds) => {
        setState(feeds)
        setAddresses(null)
      }),
    [],
  )

  const submit = (action: 'make' | 'end', event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void submitOne(async () => {
      const isMade = action === 'make'
      if (!isMade) await api('DELETE /api/user/feeds')
      setAddresses(isMade ? await api('POST /api/user/feeds') : null)
      const changed = await readChanged(api('GET /api/user/feeds'))
      if (!isMade) passFocus(form, feedsTitleId)
      setState(changed ?? { isOn: isMade, createdAt: null, lastUsedAt: null })
      emit('nocturne:toast', { title: isMade ? 'Your feeds are ready' : 'Your feeds have ended' })
    })
  }

  return (
    <FeedPanel
      state={state}
      addresses={addresses}
      isBusy={isBusy}
      onSubmit={submit}
      onCopy={(url) => void copyAddress(url)}
    />
  )
}
