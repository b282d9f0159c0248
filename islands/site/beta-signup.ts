import { api } from '#islands/runtime/api'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'

const sorry = 'Failed to sign up. Please try again.'

/** Sends the Beta Access form without leaving the page. The loader loads this file on demand. */
export async function send(form: HTMLFormElement): Promise<void> {
  const input = form.elements.namedItem('email')
  const button = form.querySelector('button')
  // The button was pressed again while the first request is in progress.
  if (!(input instanceof HTMLInputElement) || !button || button.disabled) return
  const email = input.value.trim()
  if (!email.includes('@')) return
  button.disabled = true
  try {
    const { message } = await api('POST /api/beta-signup', { body: { email, source: 'upgrade_box' } })
    input.value = ''
    emit('nocturne:toast', { kind: 'good', title: 'Success!', description: message })
  } catch (error) {
    emit('nocturne:toast', { kind: 'bad', title: 'Error', description: problemOf(error, sorry).message })
  }
  button.disabled = false
}
