import { Trash2, X } from 'lucide-react'
import { forgetOffline, keepOffline } from '#islands/offline/saving'
import type { KeptItem } from '#islands/offline/store'
import { Button } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import { MetaRow } from '#src/ui/meta-row'
import { itemMinutes } from '#src/ui/narrator-line'
import { sizeWords } from '#src/ui/size-words'
import { urls } from '#src/urls'

/** What is kept on this device, each with its way out. `saving`: the share that is there of what is on its way. */
export function KeptList({
  kept,
  saving,
}: {
  kept: readonly KeptItem[]
  saving: Readonly<Record<string, number>>
}) {
  return (
    <ul className="row-list">
      {kept.map((each) => (
        <KeptRow key={each.id} kept={each} share={saving[each.id]} />
      ))}
    </ul>
  )
}

function KeptRow({ kept, share }: { kept: KeptItem; share: number | undefined }) {
  const { id, item, audio, isWhole, track } = kept
  const minutes = itemMinutes(item)
  return (
    <li className="row row-padded">
      <Cover title={item.title} shape="56" />
      <div className="row-words">
        <h3 className="title-sm">{isWhole ? <a href={urls.item(item)}>{item.title}</a> : item.title}</h3>
        {isWhole ? (
          <MetaRow>
            {minutes !== null && `${minutes} min`}
            {sizeWords(sizeOf(kept))}
            {`until ${until.format(kept.allowedUntil)}`}
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
            onClick={() => void keepOffline(track)}
          >
            Go on
          </Button>
        )}
        <button
          className="icon-btn"
          type="button"
          aria-label={`Remove ${item.title} from this device`}
          onClick={() => void forgetOffline(id)}
        >
          <Icon of={isWhole ? Trash2 : X} />
        </button>
      </span>
    </li>
  )
}

const until = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** Bytes of the sound, and of the text as the store has it: two to a letter. */
function sizeOf({ audio, item }: KeptItem): number {
  return (audio?.sizeBytes ?? 0) + item.content.length * 2
}
