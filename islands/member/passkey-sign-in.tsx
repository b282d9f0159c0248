import { signInWithPasskey } from '#islands/member/passkey'
import { greet } from '#islands/member/sign-in'
import { visit } from '#islands/navigation/visit'
import { useSubmit } from '#islands/runtime/use-submit'
import { PasskeyButton } from '#src/ui/passkey-button'
import { urls } from '#src/urls'

/** The passkey button on the page of the form. */
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

/** Whether the page carries a form that was not sent: then it goes on, as after a password. */
function sendCarriedForm(): boolean {
  const form = document.querySelector<HTMLInputElement>('[name="unsent"]')?.form
  if (!form) return false
  form.action = urls.signInCarried()
  form.submit()
  return true
}
