import { signInWithPasskey } from '#islands/member/passkey'
import { greet } from '#islands/member/sign-in'
import { visit } from '#islands/navigation/visit'
import { useSubmit } from '#islands/runtime/use-submit'
import { PasskeyButton } from '#src/ui/passkey-button'
import { urls } from '#src/urls'

/** The passkey button of the sign-in page. */
export default function PasskeySignIn({ next }: { next: string }) {
  const { isBusy, submit } = useSubmit({ title: 'Oops! 😅' })
  const onPress = () =>
    submit(async () => {
      await signInWithPasskey()
      if (sendCarriedForm()) return
      greet('sign-in')
      await visit(next)
    })
  return <PasskeyButton isBusy={isBusy} onPress={() => void onPress()} />
}

/**
 * Submits a form that was interrupted by the sign-in and is carried by this page, as after a password. Returns whether
 * there was one.
 */
function sendCarriedForm(): boolean {
  const form = document.querySelector<HTMLInputElement>('[name="unsent"]')?.form
  if (!form) return false
  form.action = urls.signInCarried()
  form.submit()
  return true
}
