import type { ChangeEvent } from 'react'

/**
 * A slider. A `<progress>` shows the value, and a transparent range over it takes the input, so that no style attribute
 * is needed.
 */
export function Slider({
  label,
  value,
  max,
  step = 1,
  valueText,
  isPlain = false,
  isDisabled = false,
  onChange,
  onCommit,
}: {
  label: string
  value: number
  max: number
  step?: number
  /** The value for screen readers: "3:41 of 12:44". */
  valueText?: string
  /** Whether to use the text colour instead of the accent colour, as the volume does. */
  isPlain?: boolean
  isDisabled?: boolean
  onChange?: (value: number) => void
  /** Called when the pointer is released. */
  onCommit?: (value: number) => void
}) {
  const commit =
    onCommit && ((event: { currentTarget: HTMLInputElement }) => onCommit(+event.currentTarget.value))
  return (
    <span className={isPlain ? 'slider slider-plain' : 'slider'}>
      <progress value={Math.min(value, max)} max={max > 0 ? max : 1} aria-hidden="true" />
      <input
        type="range"
        min={0}
        max={max}
        step={step}
        value={value}
        disabled={isDisabled}
        aria-label={label}
        aria-valuetext={valueText}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChange?.(+event.currentTarget.value)}
        onPointerUp={commit}
        onKeyUp={commit}
      />
    </span>
  )
}
