import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { AuthForm, type AuthMode } from '#src/ui/auth-form'

test('an error is shown once, at its field or else above the form', () => {
  const message = 'This is no name.'
  for (const [mode, field, isAtField] of [
    ['register', 'firstName', true],
    ['sign-in', 'firstName', false],
    ['sign-in', 'password', true],
    ['sign-in', 'next', false],
    ['sign-in', null, false],
  ] as const satisfies [AuthMode, string | null, boolean][]) {
    const markup = renderToStaticMarkup(
      <AuthForm mode={mode} action="/" providers={[]} problem={{ field, message }} />,
    )
    const told = [mode, field, markup.split(message).length - 1, markup.includes('aria-invalid="true"')]
    expect(told).toEqual([mode, field, 1, isAtField])
  }
})
