import type { ReactNode } from 'react'
import { Icon, type IconName } from '#src/ui/icon'

/** A figure with its name. A group of them is a `dl` of class `stats`. */
export function Stat({
  icon,
  label,
  value,
  delta,
}: {
  icon?: IconName
  label: string
  value: ReactNode
  delta?: string
}) {
  return (
    <div className="stat">
      <dt>
        {icon && <Icon name={icon} />}
        {label}
      </dt>
      <dd>{value}</dd>
      {delta && <dd className="delta">{delta}</dd>}
    </div>
  )
}
