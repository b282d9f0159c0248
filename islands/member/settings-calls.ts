import { addPasskey } from '#islands/member/passkey'
import { forgetMember } from '#islands/member/sign-out'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { readChanged } from '#islands/runtime/read-changed'
import type { SettingsForm, SettingsView } from '#src/member/settings/settings-view-schema'
import { providers } from '#src/social/rules'
import { urls } from '#src/urls'

/** The request of each settings form, and the resulting change of the view. */
export const settingsCalls: Record<
  SettingsForm,
  (fields: Record<string, string>) => Promise<Partial<SettingsView>>
> = {
  async profile(body) {
    const { firstName, lastName } = await api('PATCH /api/user', { body })
    emit('nocturne:toast', { title: 'Profile saved' })
    return { firstName: firstName ?? '', lastName: lastName ?? '' }
  },
  async password({ currentPassword = '', newPassword = '' }) {
    return showEnded(await api('POST /api/user/password', { body: { currentPassword, newPassword } }))
  },
  async email({ email = '', password }) {
    showMessage(await api('POST /api/user/email', { body: { email, password } }))
    return {}
  },
  async 'verify-email'() {
    showMessage(await api('POST /api/user/verify-email'))
    return {}
  },
  async 'ways-in'({ provider, password }) {
    const path = { provider: providers.find((each) => each === provider) ?? 'google' }
    showMessage(await api('DELETE /api/user/identities/:provider', { path, body: { password } }))
    return readSignInMethods()
  },
  async passkey(fields) {
    showMessage(await addPasskey(fields))
    return readSignInMethods()
  },
  async 'remove-passkey'({ id = '', password }) {
    showMessage(await api('DELETE /api/user/passkeys/:id', { path: { id }, body: { password } }))
    return readSignInMethods()
  },
  async history() {
    showMessage(await api('DELETE /api/user/history'))
    return {}
  },
  async delete(body) {
    await api('DELETE /api/user', { body })
    await forgetMember()
    // A full load, so that no data of the member stays on the page or in its player.
    location.assign(urls.accountDeleted())
    return {}
  },
}

async function readSignInMethods(): Promise<Partial<SettingsView>> {
  const signInMethods = await readChanged(api('GET /api/user/ways-in'))
  return signInMethods ? { signInMethods } : {}
}

/** Ends all other sessions. */
export async function endOtherSessions(): Promise<Partial<SettingsView>> {
  return showEnded(await api('DELETE /api/user/sessions'))
}

/** Shows what was ended, and returns the open sessions. A toast soon disappears, so the panel shows the message too. */
async function showEnded({ message: ended }: WithMessage): Promise<Partial<SettingsView>> {
  const [title = 'Done', ...more] = ended.split(/(?<=\.) /)
  emit('nocturne:toast', { title, description: more.join(' ') || undefined })
  const changed = await readChanged(
    Promise.all([api('GET /api/user/sessions'), api('GET /api/user/push'), api('GET /api/user/feeds')]),
  )
  if (!changed) return { ended }
  const [sessions, push, feeds] = changed
  emit('nocturne:feeds', feeds)
  return { ended, sessions, push, feeds }
}

type WithMessage = { message: string }

function showMessage({ message }: WithMessage): void {
  emit('nocturne:toast', { title: message })
}
