import { type ComponentProps, useId } from 'react'
import { Switch } from '#src/ui/switch'

/** An on-off choice with its name and what it means. */
export function SwitchRow({
  title,
  words,
  ...input
}: { title: string; words?: string } & ComponentProps<typeof Switch>) {
  const id = useId()
  return (
    <label className="row" htmlFor={id}>
      <span className="row-words">
        <b>{title}</b>
        {words && <span className="meta">{words}</span>}
      </span>
      <Switch id={id} {...input} />
    </label>
  )
}
