import { type FormEvent, useState } from 'react'
import { apiCall, problemOf } from '#islands/api-call'
import { emit } from '#islands/events'
import { FeedPanel } from '#src/feed/feed-panel'
import type { FeedAddresses, FeedState } from '#src/feed/schema'
import { urls } from '#src/urls'

/** Private feeds, made and ended without leaving the settings. */
export default function PrivateFeeds(props: { state: FeedState }) {
  const [state, setState] = useState(props.state)
  const [addresses, setAddresses] = useState<FeedAddresses | null>(null)
  const [isBusy, setBusy] = useState(false)

  const submit = async (action: 'make' | 'end', event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    try {
      const method = action === 'make' ? 'POST' : 'DELETE'
      const answer = await apiCall(urls.apiFeeds(), { method, body: {} })
      setAddresses(action === 'make' ? (answer as FeedAddresses) : null)
      setState((await apiCall(urls.apiFeeds())) as FeedState)
      emit('nocturne:toast', { title: action === 'make' ? 'Your feeds are made' : 'Your feeds have ended' })
    } catch (error) {
      emit('nocturne:toast', { kind: 'bad', title: 'Error', description: problemOf(error).message })
    } finally {
      setBusy(false)
    }
  }

  return (
    <FeedPanel
      state={state}
      addresses={addresses}
      isBusy={isBusy}
      onSubmit={(action, event) => void submit(action, event)}
    />
  )
}
