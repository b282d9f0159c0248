import { Check, Clock, EyeOff, Flag, RefreshCw } from 'lucide-react'
import { Badge } from '#src/ui/badge'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import type { PremiumItem } from './draft-schema'
import { categoryLabel, excerptCharactersMax, preview, type Status } from './rules'

/** What stands beside an item that members do not see. */
const statusBadges: Partial<Record<Status, { label: string; icon: typeof Clock }>> = {
  draft: { label: 'Draft', icon: EyeOff },
  scheduled: { label: 'Scheduled', icon: Clock },
  held: { label: 'Held for review', icon: Flag },
  removed: { label: 'Removed', icon: EyeOff },
}

/** An item of the library as a link to its editor. */
export function LibraryCard({ item, href }: { item: PremiumItem; href?: string }) {
  const content = (
    <>
      <Cover title={item.title} />
      <span className="library-card-words">
        <span className="title-sm">{item.title}</span>
        <Badges item={item} />
        <p>{preview(item.content, excerptCharactersMax)}</p>
        <span className="meta">
          {item.categories.map(categoryLabel).join(', ')} · {item.duration} min · {item.voice}
        </span>
      </span>
    </>
  )
  if (!href) return <div className="library-card">{content}</div>
  return (
    <a className="library-card" href={href} data-edit={item.id} data-keep="">
      {content}
    </a>
  )
}

function Badges({ item }: { item: PremiumItem }) {
  const status = statusBadges[item.status]
  return (
    <span className="btn-row badge-row">
      <Badge kind="line">{item.type === 'flow' ? 'Flow' : 'Story'}</Badge>
      {status && (
        <Badge kind="warn">
          <Icon of={status.icon} size="sm" />
          {status.label}
        </Badge>
      )}
      {item.generateAudio ? (
        <Badge kind="warn">
          <Icon of={RefreshCw} size="sm" />
          Narrating
        </Badge>
      ) : (
        item.audioUrl && (
          <Badge kind="good">
            <Icon of={Check} size="sm" />
            Audio Ready
          </Badge>
        )
      )}
    </span>
  )
}
