import type { LucideIcon } from 'lucide-react'

/** A Lucide icon in the look's size and stroke. It is decoration: the words stand beside it or on the button. */
export function Icon({
  of: Drawing,
  size,
  isSolid = false,
  className,
}: {
  of: LucideIcon
  size?: 'sm'
  isSolid?: boolean
  className?: string
}) {
  const classes = ['icon', size && `icon-${size}`, isSolid && 'icon-solid', className].filter(Boolean)
  return <Drawing className={classes.join(' ')} />
}
