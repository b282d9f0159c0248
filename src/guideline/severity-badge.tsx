import { Badge, type BadgeKind } from '#src/ui/badge'
import type { Severity } from './rules'

const kinds: Record<Severity, BadgeKind> = { blocking: 'bad', high: 'warn', medium: 'info', low: 'line' }

/** The severity of a rule, as a word and a colour. Browser-safe. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return <Badge kind={kinds[severity]}>{severity}</Badge>
}
