import type { ComponentProps, InputHTMLAttributes, ReactNode } from 'react'
import { useElementId } from '#src/ui/element-id'

/** An on-off choice that takes effect at once. The label around it has its text. */
export function Switch(input: Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role'>) {
  return (
    <span className="switch">
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked */}
      <input {...input} type="checkbox" role="switch" />
      <span />
    </span>
  )
}

/** A switch among settings. Its words may be long, so they are not part of its accessible name. */
export function SettingSwitch({
  title,
  words,
  ...input
}: { title: string; words: ReactNode } & ComponentProps<typeof Switch>) {
  const id = useElementId()
  return (
    <label className="setting" htmlFor={id}>
      <span>
        <b className="label" id={`${id}-title`}>
          {title}
        </b>
        <span className="hint" id={`${id}-words`}>
          {words}
        </span>
      </span>
      <Switch id={id} aria-labelledby={`${id}-title`} aria-describedby={`${id}-words`} {...input} />
    </label>
  )
}
