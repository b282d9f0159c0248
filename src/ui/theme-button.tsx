import { Icon } from '#src/ui/icon'

/** Switches between night and paper. Without JavaScript the system's preference decides. */
export function ThemeButton({ className }: { className?: string }) {
  return (
    <button
      className={['icon-btn', className].filter(Boolean).join(' ')}
      type="button"
      data-theme-button=""
      aria-label="Change theme"
    >
      <Icon name="i-lucide-moon-star" />
    </button>
  )
}
