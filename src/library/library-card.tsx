import { itemMinutes } from '#src/story/narrator-words'
import { categoryLabel, excerptCharactersMax, preview, type Status } from '#src/story/rules'
import { dot, joinFacts } from '#src/text/join-facts'
import { Badge } from '#src/ui/badge'
import { Cover } from '#src/ui/cover'
import { Icon, type IconName } from '#src/ui/icon'
import { LocalTime } from '#src/ui/local-time'
import type { CardItem } from './library-card-fields'

/** The badges of items that members do not see. */
const statusBadges: Partial<Record<Status, { label: string; icon: IconName }>> = {
  draft: { label: 'Draft', icon: 'i-lucide-sm-eye-off' },
  scheduled: { label: 'Scheduled', icon: 'i-lucide-sm-clock' },
  held: { label: 'Held for review', icon: 'i-lucide-sm-flag' },
  removed: { label: 'Removed', icon: 'i-lucide-sm-eye-off' },
}

/**
 * Card of an item in the library. If it has an editor, its title links there, and the whole card is the link's target.
 */
export function LibraryCard({ item, href }: { item: CardItem; href?: string }) {
  return (
    <div className="library-card">
      <Cover title={item.title} />
      <div className="library-card-words">
        {href ? (
          <a className="title-sm" href={href} data-edit={item.id} data-keep="">
            {item.title}
          </a>
        ) : (
          <span className="title-sm">{item.title}</span>
        )}
        <Badges item={item} />
        <p>{preview(item.content, excerptCharactersMax)}</p>
        <span className="meta">
          {item.status === 'scheduled' && item.publishedAt && (
            <>
              Appears <LocalTime at={item.publishedAt} />
              {dot}
            </>
          )}
          {joinFacts(
            item.categories.map(categoryLabel).join(', '),
            `${itemMinutes(item)} min`,
            categoryLabel(item.voice),
          )}
        </span>
      </div>
    </div>
  )
}

function Badges({ item }: { item: CardItem }) {
  const status = statusBadges[item.status]
  return (
    <span className="btn-row badge-row">
      <Badge kind="line">{item.type === 'flow' ? 'Flow' : 'Story'}</Badge>
      {status && (
        <Badge kind="warn">
          <Icon name={status.icon} />
          {status.label}
        </Badge>
      )}
      {item.generateAudio ? (
        <Badge kind="warn">
          <Icon name="i-lucide-sm-refresh-cw" />
          Narrating
        </Badge>
      ) : (
        item.hasAudio && (
          <Badge kind="good">
            <Icon name="i-lucide-sm-check" />
            Audio Ready
          </Badge>
        )
      )}
    </span>
  )
}
