import { agoWords } from '#src/analytics/dashboard'
import { consoleUrls } from '#src/console-urls'
import { PickBox } from '#src/selection/pick-box'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import { ratingMax } from './rules'
import type { Comment } from './schema'

/** One comment: its item, rating and words. Browser-safe. */
export function CommentRow({
  comment: { id, item, rating, comments, tags, createdAt },
  now,
  isBusy,
  onRemove,
}: {
  comment: Comment
  /** In milliseconds since 1970. */
  now: number
  isBusy: boolean
  onRemove: () => void
}) {
  return (
    <article className="flag" data-pick-row="">
      <div className="stack-sm">
        <div className="btn-row badge-row">
          <PickBox id={id} title={item.title} />
          <Badge>
            <Icon name="i-lucide-sm-star" />
            {rating === null ? 'Not rated' : `${rating} of ${ratingMax}`}
          </Badge>
          <span className="meta">{agoWords((now - Date.parse(createdAt)) / 1_000)}</span>
        </div>
        <h3>
          {item.source === 'pre_uploaded' ? (
            <a href={urls.premiumContent({ edit: item.id })}>{item.title}</a>
          ) : (
            item.title
          )}
        </h3>
        {comments && <p className="flag-words">{comments}</p>}
        <div className="meta-row">
          {tags.map((tag) => (
            <span key={tag}>{tag}</span>
          ))}
          <a href={consoleUrls.feedback({ item: item.id })}>{`All of this ${item.type}`}</a>
        </div>
      </div>
      <div className="btn-row">
        <Button
          size="sm"
          kind="danger"
          isBusy={isBusy}
          aria-label={`Remove: ${item.title}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </div>
    </article>
  )
}
