import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

/**
 * A link, so that it works without JavaScript. With JavaScript the page is replaced, and Back does not return to it.
 */
export function LeaveButton() {
  return (
    <a
      className="icon-btn"
      href={urls.leave()}
      rel="nofollow"
      data-leave=""
      data-hard=""
      aria-label="Leave quickly (Esc twice)"
      title="Leave quickly (Esc twice)"
    >
      <Icon name="i-lucide-door-open" />
    </a>
  )
}
