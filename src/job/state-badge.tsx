import { Badge, type BadgeKind } from '#src/ui/badge'
import type { jobStates } from './rules'

type State = (typeof jobStates)[number]

export const stateNames: Record<State, string> = {
  queued: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
const kinds: Record<State, BadgeKind> = {
  queued: 'line',
  running: 'soft',
  done: 'good',
  failed: 'bad',
  cancelled: 'line',
}

/** The state of a job, as a word and a colour. Browser-safe. */
export function StateBadge({ state }: { state: State }) {
  return <Badge kind={kinds[state]}>{stateNames[state].toLowerCase()}</Badge>
}
