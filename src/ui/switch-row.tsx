import type { ComponentProps } from 'react'
import { useElementId } from '#src/ui/element-id'
import { Switch } from '#src/ui/switch'

/** An on-off choice with its name and an explanation. */
export function SwitchRow({
  title,
  words,
  ...input
}: { title: string; words?: string } & ComponentProps<typeof Switch>) {
  const id = useElementId()
  return (
    <label className="row" htmlFor={id}>
      <span className="row-words">
        <b id={`${id}-title`}>{title}</b>
        {words && (
          <span className="meta" id={`${id}-words`}>
            {words}
          </span>
        )}
      </span>
      <Switch
        id={id}
        aria-labelledby={`${id}-title`}
        aria-describedby={words ? `${id}-words` : undefined}
        {...input}
      />
    </label>
  )
}
