import { useAtomValue } from 'jotai'
import { BarPopover } from '#islands/player/bar-popover'
import { QueueList } from '#islands/player/queue-list'
import { SleepChoices } from '#islands/player/sleep-choices'
import { SpeedSteps } from '#islands/player/speed-steps'
import { queueAtom } from '#islands/player/state'
import { useAudio } from '#islands/player/use-audio'
import { Button } from '#src/ui/button'
import type { PlayerMenu } from '#src/ui/player-bar'

const titles = { speed: 'Speed', timer: 'Sleep timer', queue: 'Queue' } as const

/** The popover of a chip, above the bar. */
export function MenuPopover({ menu, onClose }: { menu: PlayerMenu; onClose: () => void }) {
  return (
    <BarPopover key={menu} title={titles[menu]} action={menu === 'queue' && <ClearQueue />} onClose={onClose}>
      <MenuContent menu={menu} />
    </BarPopover>
  )
}

/** The same in the opened player of phones. */
export function MenuContent({ menu }: { menu: PlayerMenu }) {
  if (menu === 'speed') return <SpeedSteps />
  return menu === 'timer' ? <SleepChoices /> : <QueueList />
}

function ClearQueue() {
  const { player } = useAudio()
  if (useAtomValue(queueAtom).entries.length === 0) return null
  return (
    <Button
      kind="ghost"
      size="sm"
      onClick={({ currentTarget }) => {
        // The button goes with the entries.
        currentTarget.closest<HTMLElement>('[role="dialog"]')?.focus()
        player.queue.clear()
      }}
    >
      Clear
    </Button>
  )
}
