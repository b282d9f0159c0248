import { Button } from '#src/ui/button'
import type { FeedAddresses } from './schema'

/** The two addresses, shown once, to be copied into an app. Browser-safe. */
export function FeedAddressList({
  addresses,
  onCopy,
}: {
  addresses: FeedAddresses
  /** Without it there are no buttons. */
  onCopy?: (url: string) => void
}) {
  return (
    <div className="stack">
      <p className="hint">
        Copy them now: they are not shown again. Anyone who has them can hear what you can, so keep them to
        yourself.
      </p>
      <Address label="Podcast apps (RSS)" url={addresses.podcastUrl} onCopy={onCopy} />
      <Address label="Reading apps (OPDS 2)" url={addresses.catalogueUrl} onCopy={onCopy} />
    </div>
  )
}

function Address({ label, url, onCopy }: { label: string; url: string; onCopy?: (url: string) => void }) {
  const id = label.startsWith('Podcast') ? 'feed-podcast' : 'feed-catalogue'
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} className="input feed-address" rows={2} value={url} readOnly />
      {onCopy && (
        <Button size="sm" aria-label={`Copy: ${label}`} onClick={() => onCopy(url)}>
          Copy
        </Button>
      )}
    </div>
  )
}
