import { type FormEvent, type SubmitEvent, useState } from 'react'
import { KeysSetting } from '#islands/member/keys-setting'
import { NotesSetting } from '#islands/member/notes-setting'
import { addPasskey } from '#islands/member/passkey'
import { PushSetting } from '#islands/member/push-setting'
import { endSession, forgetMember } from '#islands/member/sign-out'
import { reload } from '#islands/navigation/visit'
import { storeAutoPlay } from '#islands/player/preferences'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { orToast } from '#islands/runtime/or-toast'
import { passFocus } from '#islands/runtime/pass-focus'
import { readChanged } from '#islands/runtime/read-changed'
import { useSubmit } from '#islands/runtime/use-submit'
import { setTheme } from '#islands/site/theme'
import { AccountPanel } from '#src/member/settings/account-panel'
import { HidePanel } from '#src/member/settings/hide-panel'
import { hideChanges } from '#src/member/settings/hide-rules'
import { openButtonId } from '#src/member/settings/open-button'
import {
  AppearancePanel,
  DiscretionPanel,
  NotificationPanel,
  PlaybackPanel,
} from '#src/member/settings/preference-panels'
import { PrivacyPanel } from '#src/member/settings/privacy-panel'
import { SessionPanel, sessionsTitleId } from '#src/member/settings/session-panel'
import type { HideForm, Settings } from '#src/member/settings/settings-schema'
import type { OpenPanel, SettingsForm, SettingsView } from '#src/member/settings/settings-view-schema'
import { SignInMethodsPanel } from '#src/member/settings/sign-in-methods-panel'
import { providers } from '#src/social/rules'
import { categoryLabel } from '#src/story/rules'
import { discreetTitle } from '#src/ui/discreet'
import { urls } from '#src/urls'

/** The settings, saved without leaving the page; typed text stays when the server refuses. */
export default function MemberSettings(props: { view: SettingsView }) {
  const [view, setView] = useState(props.view)
  const [open, setOpen] = useState(props.view.open)
  const [sent, setSent] = useState(props.view.problem?.panel)
  const { isBusy, problem, setProblem, submit } = useSubmit({}, props.view.problem)
  const ending = useSubmit({ title: 'Error' })

  const toggle = (panel: OpenPanel, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(null)
    setOpen((last) => (last === panel ? null : panel))
  }
  const submitPanel = (panel: SettingsForm, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = textsOf(form)
    void submit(async () => {
      setSent(panel === 'remove-passkey' ? 'ways-in' : panel)
      const changes = await send[panel](fields)
      passFocus(form, openButtonOf(panel))
      setView({ ...view, ...changes })
      setOpen(null)
    })
  }
  const signOutElsewhere = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void ending.submit(async () => {
      const changes = await showEnded(await api('DELETE /api/user/sessions'))
      passFocus(form, sessionsTitleId)
      setView((last) => ({ ...last, ...changes }))
    })
  }
  const { choose, chooseDiscretion, chooseTheme, chooseHidden } = useChoices(view.settings, (settings) =>
    setView((last) => ({ ...last, settings: { ...last.settings, ...settings } })),
  )

  const panel = {
    view,
    open,
    problem: problem && sent ? { panel: sent, ...problem } : null,
    isBusy: isBusy || ending.isBusy,
    onOpen: toggle,
    onSubmit: submitPanel,
  }
  return (
    <div className="stack">
      <AccountPanel {...panel} onSignOut={(event) => void signOut(event)} />
      <NotificationPanel
        chosen={view.settings}
        push={
          <PushSetting
            state={view.push}
            isPossible={view.hasWorker}
            onChange={(push) => setView((last) => ({ ...last, push }))}
          />
        }
        onChange={(changes) => void choose(changes)}
      />
      <PlaybackPanel
        chosen={view.settings}
        browserChoices={
          <>
            <KeysSetting />
            <NotesSetting />
          </>
        }
        onChange={(changes) => void choose(changes)}
      />
      <AppearancePanel chosen={view.settings} onSubmit={chooseTheme} />
      <DiscretionPanel
        chosen={view.settings}
        hasPin={view.hasPin}
        onChange={(changes) => void chooseDiscretion(changes)}
      />
      <HidePanel hidden={view.settings} onSubmit={(event) => void chooseHidden(event)} />
      <SignInMethodsPanel {...panel} />
      <SessionPanel
        sessions={view.sessions}
        hasFeeds={view.feeds.isOn}
        ended={view.ended}
        isBusy={panel.isBusy}
        onSubmit={signOutElsewhere}
      />
      <PrivacyPanel {...panel} />
    </div>
  )
}

/** Choices that are saved as soon as they are made; `show` puts them on the screen. */
function useChoices(settings: SettingsView['settings'], show: (changes: Partial<Settings>) => void) {
  /** Shown at once; reverted where the server did not save it. */
  const choose = async (changes: Partial<Settings>) => {
    show(changes)
    const saved = await orToast(() => api('PATCH /api/user/settings', { body: changes }), { title: 'Error' })
    // Another choice may be on its way meanwhile, and is not in this answer.
    show(pickKeys(saved ?? settings, changes))
    // What was chosen in the player before, and could not be saved, is over.
    if (saved && changes.autoPlayNext !== undefined) storeAutoPlay(changes.autoPlayNext)
    return saved !== undefined
  }
  return {
    choose,
    /** The title and icon of this page become discreet at once: those of the reloaded page. */
    async chooseDiscretion(changes: Partial<Settings>): Promise<void> {
      if (!(await choose(changes))) return
      const isDiscreet = changes.discreetMode === true
      document.body.toggleAttribute('data-discreet', isDiscreet)
      if (isDiscreet) document.title = discreetTitle
      // The page without a network follows the last page.
      navigator.serviceWorker?.controller?.postMessage({ ...document.body.dataset })
      await reload()
    },
    chooseTheme(event: SubmitEvent<HTMLFormElement>): void {
      event.preventDefault()
      const { submitter } = event.nativeEvent
      const value = submitter?.getAttribute('value')
      const theme = value === 'dark' || value === 'paper' ? value : null
      setTheme(theme)
      void choose({ theme })
    },
    async chooseHidden(event: SubmitEvent<HTMLFormElement>): Promise<void> {
      event.preventDefault()
      const form = event.currentTarget
      const change: HideForm = textsOf(form, event.nativeEvent.submitter)
      const { hiddenCategories, hiddenWords } = settings
      const before = { hiddenCategories, hiddenWords }
      const changes = hideChanges(before, change)
      if (change.word !== undefined) form.reset()
      // The pressed word is removed in a moment, and the focus would be lost with it.
      if (change.shownWord !== undefined)
        document.querySelector<HTMLInputElement>('#hide [name=word]')?.focus()
      if (await choose(changes))
        emit('nocturne:toast', { title: hideWords(before, change), undo: () => void choose(before) })
    },
  }
}

/** Shows what has ended, and returns the open sessions: a toast soon disappears, so the panel shows the words too. */
async function showEnded({
  message: ended,
}: WithMessage): Promise<Partial<Pick<SettingsView, 'ended' | 'sessions' | 'push' | 'feeds'>>> {
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

async function signOut(event: FormEvent<HTMLFormElement>): Promise<void> {
  event.preventDefault()
  const form = event.currentTarget
  const leave = async () => {
    await endSession()
    // A full load: no data of the member may stay on the page or in its player.
    form.submit()
  }
  await orToast(leave, { title: 'You are still signed in', otherwise: 'Signing out needs the network.' })
}

/** The button that opened a form; of rows, the one that adds to them. */
function openButtonOf(panel: SettingsForm): string {
  return openButtonId(panel === 'ways-in' || panel === 'remove-passkey' ? 'passkey' : panel)
}

/** The call of each form, and its change of the view. */
const send: Record<SettingsForm, (fields: Record<string, string>) => Promise<Partial<SettingsView>>> = {
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
  async 'ways-in'({ provider }) {
    const path = { provider: providers.find((each) => each === provider) ?? 'google' }
    showMessage(await api('DELETE /api/user/identities/:provider', { path }))
    return readSignInMethods()
  },
  async passkey(fields) {
    showMessage(await addPasskey(fields))
    return readSignInMethods()
  },
  async 'remove-passkey'({ id = '' }) {
    showMessage(await api('DELETE /api/user/passkeys/:id', { path: { id } }))
    return readSignInMethods()
  },
  async history() {
    showMessage(await api('DELETE /api/user/history'))
    return {}
  },
  async delete(body) {
    await api('DELETE /api/user', { body })
    await forgetMember()
    // A full load: no data of the member may stay on the page or in its player.
    location.assign(urls.accountDeleted())
    return {}
  },
}

async function readSignInMethods(): Promise<Partial<SettingsView>> {
  const signInMethods = await readChanged(api('GET /api/user/ways-in'))
  return signInMethods ? { signInMethods } : {}
}

function hideWords({ hiddenCategories }: Pick<Settings, 'hiddenCategories'>, change: HideForm): string {
  if (change.category)
    return `${categoryLabel(change.category)} ${hiddenCategories.includes(change.category) ? 'is shown again' : 'is hidden'}`
  return change.word ? `“${change.word}” is hidden` : `“${change.shownWord ?? ''}” is shown again`
}

function textsOf(form: HTMLFormElement, pressed: HTMLElement | null = null): Record<string, string> {
  return Object.fromEntries([...new FormData(form, pressed)].map(([name, value]) => [name, String(value)]))
}

function pickKeys<T extends object>(from: T, like: Partial<T>): Partial<T> {
  const picked: Partial<T> = {}
  for (const key in like) picked[key] = from[key]
  return picked
}

type WithMessage = { message: string }

function showMessage({ message }: WithMessage): void {
  emit('nocturne:toast', { title: message })
}
