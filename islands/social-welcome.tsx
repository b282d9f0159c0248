import { useEffect } from 'react'
import { emit } from '#islands/events'
import { welcomeWords } from '#islands/sign-in'
import { track } from '#islands/track-event'
import type { Provider } from '#src/social/rules'

/** The greeting of somebody who comes back from a provider's page (visitor.md §8). It shows nothing itself. */
export default function SocialWelcome({ mode, method }: { mode: 'sign-in' | 'register'; method: Provider }) {
  useEffect(() => {
    emit('nocturne:toast', { kind: 'good', title: 'Welcome! 🎉', description: welcomeWords[mode] })
    track(mode === 'register' ? 'user_register' : 'user_login', { contentType: 'auth', data: { method } })
  }, [mode, method])
  return null
}
