import type { ComponentProps } from 'react'
import { emailCharactersMax, passwordCharactersMin } from '#src/member/rules'
import { Field } from '#src/ui/field'

type AccountFieldProps = { label: string } & Omit<ComponentProps<typeof Field>, 'type'>

/** Field for a person's own email. */
export function EmailField(props: AccountFieldProps) {
  return <Field type="email" name="email" autoComplete="email" maxLength={emailCharactersMax} {...props} />
}

/** Field for a new password. */
export function NewPasswordField(props: AccountFieldProps) {
  return (
    <Field
      type="password"
      name="password"
      autoComplete="new-password"
      minLength={passwordCharactersMin}
      required
      hint={`Minimum ${passwordCharactersMin} characters`}
      {...props}
    />
  )
}
