import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'

/** A link, so that it leaves without JavaScript too; with it the page is replaced and Back does not return. */
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
