import { useState } from 'react'
import { emit } from '#islands/events'
import { hasPasskeys, signInWithPasskey } from '#islands/passkey'
import { welcomeWords } from '#islands/sign-in'
import { useHydrated } from '#islands/use-hydrated'
import { visit } from '#islands/visit'
import { PasskeyButton } from '#src/ui/passkey-button'

/** A passkey on the page of the form. Without a script there is none to use, and no button. */
export default function PasskeySignIn({ next }: { next: string }) {
  const [isBusy, setBusy] = useState(false)
  const isHydrated = useHydrated()
  if (!isHydrated || !hasPasskeys()) return null
  const onPress = async () => {
    setBusy(true)
    const failure = await signInWithPasskey()
    setBusy(false)
    if (failure !== null)
      return emit('nocturne:toast', { kind: 'bad', title: 'Oops! 😅', description: failure })
    emit('nocturne:toast', { kind: 'good', title: 'Welcome! 🎉', description: welcomeWords['sign-in'] })
    await visit(next)
  }
  return <PasskeyButton isBusy={isBusy} onPress={() => void onPress()} />
}
