import { emit } from '#islands/events'

const thanks = "Thank you for signing up! You'll be notified when premium launches."
const sorry = 'Failed to sign up. Please try again.'

/** Sends the Beta Access form without leaving the page (visitor.md §5, §8). The loader fetches this file. */
export async function send(form: HTMLFormElement): Promise<void> {
  const input = form.elements.namedItem('email')
  const button = form.querySelector('button')
  // Pressed again while the first is on its way.
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

/** Null when it went well, else what to say. */
async function signUp(email: string): Promise<string | null> {
  try {
    const response = await fetch('/api/beta-signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, source: 'upgrade_box' }),
    })
    if (response.ok) return null
    const answer: unknown = await response.json()
    return hasMessage(answer) ? answer.message : sorry
  } catch {
    return sorry
  }
}

function hasMessage(answer: unknown): answer is { message: string } {
  return (
    typeof answer === 'object' && answer !== null && 'message' in answer && typeof answer.message === 'string'
  )
}
