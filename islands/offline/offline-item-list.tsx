import { removeOffline, saveOffline } from '#islands/offline/saving'
import type { OfflineItem } from '#islands/offline/store'
import { itemMinutes } from '#src/story/narrator-words'
import { Button } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import { MetaRow } from '#src/ui/meta-row'
import { sizeWords } from '#src/ui/size-words'
import { urls } from '#src/urls'

/** The items saved on this device, each with a Remove button. `saving` is the downloaded share of each. */
export function OfflineItemList({
  items,
  saving,
}: {
  items: readonly OfflineItem[]
  saving: Readonly<Record<string, number>>
}) {
  return (
    <ul className="row-list">
      {items.map((each) => (
        <OfflineItemRow key={each.id} saved={each} share={saving[each.id]} />
      ))}
    </ul>
  )
}

function OfflineItemRow({ saved, share }: { saved: OfflineItem; share: number | undefined }) {
  const { id, item, audio, isWhole, track } = saved
  const minutes = itemMinutes(item)
  return (
    <li className="row row-padded">
      <Cover title={item.title} shape="56" />
      <div className="row-words">
        <h3 className="title-sm">{isWhole ? <a href={urls.item(item)}>{item.title}</a> : item.title}</h3>
        {isWhole ? (
          <MetaRow>
            {minutes !== null && `${minutes} min`}
            {sizeWords(sizeOf(saved))}
            {`until ${until.format(saved.allowedUntil)}`}
          </MetaRow>
        ) : (
          audio && (
            <>
              <progress
                className="meter"
                value={share ?? audio.haveBytes / audio.sizeBytes}
                max={1}
                aria-label={`${item.title}: kept so far`}
              />
              <span className="meta">{`${sizeWords(audio.haveBytes)} of ${sizeWords(audio.sizeBytes)}`}</span>
            </>
          )
        )}
      </div>
      <span className="btn-row">
        {!isWhole && share === undefined && (
          <Button
            size="sm"
            aria-label={`Go on keeping ${item.title}`}
            onClick={() => void saveOffline(track)}
          >
            Go on
          </Button>
        )}
        <button
          className="icon-btn"
          type="button"
          aria-label={`Remove ${item.title} from this device`}
          onClick={() => void removeOffline(id)}
        >
          <Icon name={isWhole ? 'i-lucide-trash' : 'i-lucide-x'} />
        </button>
      </span>
    </li>
  )
}

const until = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** Returns the bytes of the audio and of the text. IndexedDB stores a text with two bytes per character. */
function sizeOf({ audio, item }: OfflineItem): number {
  return (audio?.sizeBytes ?? 0) + item.content.length * 2
}
