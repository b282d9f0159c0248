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

/** Popover of a chip, above the bar. */
export function MenuPopover({ menu, onClose }: { menu: PlayerMenu; onClose: () => void }) {
  return (
    <BarPopover key={menu} title={titles[menu]} action={menu === 'queue' && <ClearQueue />} onClose={onClose}>
      <MenuContent menu={menu} />
    </BarPopover>
  )
}

/** Content of a menu. The full-screen player of phones shows it without a popover. */
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
        // The button disappears together with the entries, so the focus moves to the dialog.
        currentTarget.closest<HTMLElement>('[role="dialog"]')?.focus()
        player.queue.clear()
      }}
    >
      Clear
    </Button>
  )
}
