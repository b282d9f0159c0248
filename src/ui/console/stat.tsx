import type { ReactNode } from 'react'
import { Icon, type IconName } from '#src/ui/icon'

/** A figure with its name: a group of them stands in a `dl` of class `stats`. */
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
