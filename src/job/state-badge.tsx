import { Badge, type BadgeKind } from '#src/ui/badge'
import { Icon, type IconName } from '#src/ui/icon'
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

const icons: Record<State, IconName> = {
  queued: 'i-lucide-sm-clock',
  running: 'i-lucide-sm-audio-lines',
  done: 'i-lucide-sm-check',
  failed: 'i-lucide-sm-circle-alert',
  cancelled: 'i-lucide-sm-ban',
}

/** The state of a job, as a word, an icon and a colour. Browser-safe. */
export function StateBadge({ state }: { state: State }) {
  return (
    <Badge kind={kinds[state]}>
      <Icon name={icons[state]} />
      {stateNames[state].toLowerCase()}
    </Badge>
  )
}
