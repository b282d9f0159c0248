import type { FeedAddresses } from './schema'

/** The two addresses, shown once, to be copied into an app. Browser-safe. */
export function FeedAddressList({ addresses }: { addresses: FeedAddresses }) {
  return (
    <div className="stack">
      <p className="hint">
        Copy them now: they are not shown again. Whoever knows them hears what you may hear, so keep them to
        yourself.
      </p>
      <Address label="Podcast apps (RSS)" url={addresses.podcastUrl} />
      <Address label="Reading apps (OPDS 2)" url={addresses.catalogueUrl} />
    </div>
  )
}

function Address({ label, url }: { label: string; url: string }) {
  const id = label.startsWith('Podcast') ? 'feed-podcast' : 'feed-catalogue'
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="input" type="text" value={url} readOnly />
    </div>
  )
}
