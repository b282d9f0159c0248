import { Icon } from '#src/ui/icon'

const steps = ['Choose files', 'Check the plan', 'Import'] as const

/** The current step of the import; earlier steps have a tick. */
export function Steps({ current }: { current: number }) {
  return (
    <ol className="steps">
      {steps.map((name, at) => (
        <li
          key={name}
          className={at < current ? 'is-done' : at === current ? 'is-now' : undefined}
          aria-current={at === current ? 'step' : undefined}
        >
          <b>{at < current ? <Icon name="i-lucide-sm-check" /> : at + 1}</b>
          {name}
        </li>
      ))}
    </ol>
  )
}
