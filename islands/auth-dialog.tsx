import { type FormEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { forgetAuthStatus } from '#islands/auth-status'
import { type AuthRequest, emit, listen } from '#islands/events'
import { forgetFavorites, loadFavorites } from '#islands/favorites-store'
import { forgetOpinions } from '#islands/opinions-store'
import { hasPasskeys, signInWithPasskey } from '#islands/passkey'
import { signIn, welcomeWords } from '#islands/sign-in'
import { takeWish } from '#islands/sign-in-wish'
import { giveToastsBack, takeToastsInto } from '#islands/toasts-in-dialog'
import { reload, visit } from '#islands/visit'
import { type Provider, providers } from '#src/social/rules'
import { AuthForm, type AuthMode, authTitle, authWords } from '#src/ui/auth-form'
import { Dialog } from '#src/ui/dialog'
import { PasskeyButton } from '#src/ui/passkey-button'
import { urls } from '#src/urls'

type Opening = { mode: AuthMode; next?: string; isOpen: boolean; formKey: number }

/** Signing in and joining, over the page one is on. The loader brings it with the first call for it. */
export default function AuthDialog({ request }: { request: AuthRequest | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [opening, setOpening] = useState<Opening>({ mode: 'sign-in', isOpen: false, formKey: 0 })
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { mode, next, isOpen, formKey } = opening

  /** Every opening, change of mode and closing leaves a form with empty fields. */
  const change = (changed: Partial<Opening>) => {
    setFailure(null)
    setOpening((last) => ({ ...last, ...changed, formKey: last.formKey + 1 }))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` only sets state; the request is the first one, the next ones are events
  useEffect(() => {
    const open = (asked: AuthRequest) => change({ next: undefined, ...asked, isOpen: true })
    if (request) open(request)
    return listen('nocturne:auth', open)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new form gets the focus
  useEffect(() => {
    if (isOpen && dialog.current) show(dialog.current)
  }, [isOpen, formKey])

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setFailure(null)
    setBusy(true)
    const message = await signIn(mode, new FormData(form))
    setBusy(false)
    if (message === null) return welcome()
    setFailure(message)
    emit('nocturne:toast', { kind: 'bad', title: 'Oops! 😅', description: message })
    form.querySelector<HTMLElement>('[name="password"]')?.focus()
  }

  const onPasskey = async () => {
    setFailure(null)
    setBusy(true)
    const message = await signInWithPasskey()
    setBusy(false)
    if (message === null) return welcome()
    setFailure(message)
    emit('nocturne:toast', { kind: 'bad', title: 'Oops! 😅', description: message })
  }

  const welcome = async () => {
    const wish = takeWish()
    dialog.current?.close()
    giveToastsBack()
    emit('nocturne:toast', { kind: 'good', title: 'Welcome! 🎉', description: welcomeWords[mode] })
    forgetAuthStatus()
    forgetFavorites()
    forgetOpinions()
    await goOn(next)
    wish?.()
    await loadFavorites()
  }

  const onClose = () => {
    giveToastsBack()
    // Closed without signing in: what was asked for is not asked for any longer.
    takeWish()
    change({ isOpen: false })
  }

  const onSwitch = (event: MouseEvent) => {
    event.preventDefault()
    change({ mode: mode === 'register' ? 'sign-in' : 'register' })
  }

  const { site = '' } = document.body.dataset
  return (
    <Dialog id="auth" ref={dialog} title={authTitle(mode, site)} words={authWords(mode)} onClose={onClose}>
      <AuthForm
        key={formKey}
        mode={mode}
        providers={listProviders()}
        action={urls.signIn()}
        next={next ?? location.pathname + location.search}
        error={failure ?? undefined}
        isBusy={isBusy}
        passkey={hasPasskeys() && <PasskeyButton isBusy={isBusy} onPress={() => void onPasskey()} />}
        onSubmit={onSubmit}
        onSwitch={onSwitch}
      />
    </Dialog>
  )
}

function show(dialog: HTMLDialogElement): void {
  if (!dialog.open) dialog.showModal()
  takeToastsInto(dialog)
  dialog.querySelector<HTMLElement>('form[method="post"] input:not([type="hidden"])')?.focus()
}

/** "The page reloads" softly (product.md §8): the player and what was asked for are kept. */
async function goOn(next: string | undefined): Promise<void> {
  const target = new URL(next ?? location.href, location.href)
  const isHere = target.pathname + target.search === location.pathname + location.search
  if (target.origin !== location.origin || isHere) await reload()
  else await visit(target.href)
}

/** Those that the operator has set up, as the page names them. */
function listProviders(): Provider[] {
  const names = document.body.dataset.providers?.split(' ') ?? []
  return providers.filter((each) => names.includes(each))
}
