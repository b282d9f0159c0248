import { api } from '#islands/runtime/api'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'

const thanks = "Thank you for signing up! You'll be notified when premium launches."
const sorry = 'Failed to sign up. Please try again.'

/** Sends the Beta Access form without leaving the page. The loader fetches this file. */
export async function send(form: HTMLFormElement): Promise<void> {
  const input = form.elements.namedItem('email')
  const button = form.querySelector('button')
  // Pressed again while the first call is in progress.
  if (!(input instanceof HTMLInputElement) || !button || button.disabled) return
  const email = input.value.trim()
  if (!email.includes('@')) return
  button.disabled = true
  const message = await signUp(email)
  button.disabled = false
  if (message !== null) {
    emit('nocturne:toast', { kind: 'bad', title: 'Error', description: message })
    return
  }
  input.value = ''
  emit('nocturne:toast', { kind: 'good', title: 'Success!', description: thanks })
}

/** Null for a success, else the message. */
async function signUp(email: string): Promise<string | null> {
  try {
    await api('POST /api/beta-signup', { body: { email, source: 'upgrade_box' } })
    return null
  } catch (error) {
    return problemOf(error, sorry).message
  }
}
