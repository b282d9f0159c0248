import type { InputHTMLAttributes } from 'react'

/** An on-off choice that takes effect at once. Its words stand in the label around it. */
export function Switch(input: Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role'>) {
  return (
    <span className="switch">
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked */}
      <input {...input} type="checkbox" role="switch" />
      <span />
    </span>
  )
}
