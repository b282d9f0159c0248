import { Check } from 'lucide-react'
import { Icon } from '#src/ui/icon'

export const steps = ['Choose files', 'Check the plan', 'Import'] as const

/** Where the import stands; what is behind has its tick. */
export function Steps({ current }: { current: number }) {
  return (
    <ol className="steps">
      {steps.map((name, at) => (
        <li
          key={name}
          className={at < current ? 'is-done' : at === current ? 'is-now' : undefined}
          aria-current={at === current ? 'step' : undefined}
        >
          <b>{at < current ? <Icon of={Check} size="sm" /> : at + 1}</b>
          {name}
        </li>
      ))}
    </ol>
  )
}
