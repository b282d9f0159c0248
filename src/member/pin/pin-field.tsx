import { pinDigits } from '#src/member/rules'
import { Field } from '#src/ui/field'

/** An input for the digits of a PIN, which are hidden while they are typed. */
export function PinField(props: { label: string; hint?: string; error?: string; autoFocus?: boolean }) {
  const { min, max } = pinDigits
  return (
    <Field
      {...props}
      type="password"
      name="pin"
      inputMode="numeric"
      autoComplete="off"
      minLength={min}
      maxLength={max}
      pattern={`\\d{${min},${max}}`}
      required
    />
  )
}
