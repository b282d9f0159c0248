import { Badge, type BadgeKind } from '#src/ui/badge'
import { Icon, type IconName } from '#src/ui/icon'
import type { Severity } from './rules'

const kinds: Record<Severity, BadgeKind> = { blocking: 'bad', high: 'warn', medium: 'info', low: 'line' }

const icons: Record<Severity, IconName> = {
  blocking: 'i-lucide-sm-ban',
  high: 'i-lucide-sm-flag',
  medium: 'i-lucide-sm-info',
  low: 'i-lucide-sm-info',
}

/** The severity of a rule, as a word, an icon and a colour. Browser-safe. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <Badge kind={kinds[severity]}>
      <Icon name={icons[severity]} />
      {severity}
    </Badge>
  )
}
