import { Icon, type IconName } from '#src/ui/icon'

/** A small button with only an icon. Its name is for screen readers. */
export function IconButton({
  label,
  icon,
  disabled,
  onPress,
}: {
  label: string
  icon: IconName
  disabled?: boolean
  onPress: () => void
}) {
  return (
    <button
      className="icon-btn icon-btn-sm"
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  )
}
