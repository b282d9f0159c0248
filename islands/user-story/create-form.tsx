import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { askToSignIn } from '#islands/member/after-sign-in'
import { emit } from '#islands/runtime/events'
import { orToast } from '#islands/runtime/or-toast'
import { useHydrated } from '#islands/runtime/use-hydrated'
import { useSubmit } from '#islands/runtime/use-submit'
import {
  ChangedElsewhere,
  isSameWriting,
  mergeWriting,
  readShown,
  readWriting,
  saveWriting,
  showWriting,
} from '#islands/user-story/create-writing'
import { hasBeenTouched } from '#islands/user-story/stored-draft'
import { useDrafting } from '#islands/user-story/use-drafting'
import { useHints } from '#islands/user-story/use-hints'
import { useStoredDraft } from '#islands/user-story/use-stored-draft'
import { countWords } from '#src/story/rules'
import type { FormError } from '#src/ui/field-problem'
import { type Begin, CreateForm, type CreateKind, type Edited } from '#src/user-story/create-form'
import { CreateSide } from '#src/user-story/create-side'
import { DraftPanel } from '#src/user-story/draft-panel'
import type { Writing } from '#src/user-story/rules'
import type { MemberLimits } from '#src/user-story/schema'

type CreateFormIslandProps = {
  kind: CreateKind
  /** Viewer.owner. */
  owner: string | null
  /** Null for a visitor. */
  limits: MemberLimits | null
  wordsMax: number
  /** Whether a model for drafts is configured. */
  isDrafting: boolean
  edited: Edited | null
  writing: Writing
  /** The server's error about a form that was posted without a script. */
  problem: FormError | null
}

type Work = 'save' | 'narrate' | 'draft'

const reasonToJoin = 'What you make is kept in an account. It is free.'

/** Form to write, paste, draft and save a story. It does not lose typed text. */
export default function CreateFormIsland(props: CreateFormIslandProps) {
  const { kind, owner, limits, wordsMax } = props
  const isHydrated = useHydrated()
  const [begin, setBegin] = useState<Begin>('write')
  const [work, setWork] = useState<Work>('save')
  const { isBusy, problem, setProblem, submit } = useSubmit({}, props.problem)
  const busy = isBusy ? work : null
  const isSaving = isBusy && work !== 'draft'
  useProblemInView(problem)
  const { form, place, writing, prompt, changePrompt, draft, setWriting, begun, setBegun } = useWriting(props)
  const hints = useHints(owner ? writing : null)
  const wordCount = countWords(writing.content)
  const change = (changed: Partial<Writing>) => {
    // While a save is in progress nothing may change: the draft that is deleted afterwards must be the one that was
    // sent.
    if (isSaving) return
    draft.touch()
    setProblem(null)
    setWriting((last) => ({ ...last, ...changed }))
  }
  const { draftId, makeDraft, panel } = useDrafting(limits, { form, place }, change)

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent
    const isNarrated = submitter?.getAttribute('name') === 'narrate'
    const edited = props.edited && { id: props.edited.id, begun }
    const request = { place, writing, isNarrated, edited, draftId }
    draft.store()
    if (!owner) return askToSignIn(() => void saveForNewcomer(request), reasonToJoin)
    void submit(() => {
      setWork(isNarrated ? 'narrate' : 'save')
      return saveWriting(request).catch((error) => {
        if (error instanceof ChangedElsewhere) setBegun(error.now)
        throw error
      })
    })
  }

  const onDraft = () => {
    if (!owner) return askToSignIn(() => {}, reasonToJoin)
    void submit((signal) => {
      setWork('draft')
      return makeDraft({ prompt, categories: writing.categories }, signal)
    })
  }

  const onPaste = async () => {
    setBegin('write')
    const text = await readClipboard()
    if (text) change({ content: writing.content ? `${writing.content}\n\n${text}` : text })
  }

  const isValid =
    writing.title.trim() !== '' && wordCount > 0 && wordCount <= wordsMax && writing.categories.length > 0

  return (
    <CreateForm
      ref={form}
      kind={kind}
      edited={props.edited}
      writing={writing}
      wordCount={wordCount}
      wordsMax={wordsMax}
      problem={work === 'draft' ? null : problem}
      hints={hints}
      savedWords={draft.savedAt && `Saved as a draft at ${draft.savedAt}, here until you sign out`}
      begin={begin}
      isReady={isHydrated}
      isSaving={isSaving}
      onBegin={setBegin}
      onPaste={onPaste}
      onChange={change}
      onSubmit={onSubmit}
      draftPanel={
        <DraftPanel
          isConfigured={props.isDrafting}
          {...panel}
          prompt={prompt}
          problem={work === 'draft' ? (problem?.message ?? null) : null}
          isBusy={busy === 'draft'}
          onPrompt={changePrompt}
          onDraft={onDraft}
        />
      }
      side={
        <CreateSide
          kind={kind}
          isEdit={props.edited !== null}
          writing={writing}
          wordCount={wordCount}
          limits={limits}
          isDisabled={isHydrated && (!isValid || busy !== null)}
          busy={busy}
        />
      }
    />
  )
}

/** Scrolls to a problem that concerns no single field, because its notice may be far from the button. */
function useProblemInView(problem: FormError | null): void {
  useEffect(() => {
    if (problem?.field === null)
      document.querySelector('.make .notice-bad')?.scrollIntoView({ block: 'center' })
  }, [problem])
}

/** The text as this browser has stored it, and the form that shows it. */
function useWriting({ owner, edited, ...given }: CreateFormIslandProps) {
  const place = { name: edited ? `nocturne.writing.${edited.id}` : 'nocturne.writing', owner }
  const form = useRef<HTMLFormElement>(null)
  const [writing, setWriting] = useState(given.writing)
  const [prompt, setPrompt] = useState('')
  // A form that is rendered with a problem contains typed text, not the saved item.
  const [begun, setBegun] = useState(edited && !given.problem ? given.writing : null)
  const adopt = () => {
    const stored = readWriting(place)
    if (!stored) return
    setWriting(stored)
    setPrompt(stored.prompt)
    setBegun((last) => stored.begun ?? last)
  }
  const draft = useStoredDraft(place, { ...writing, prompt, begun }, adopt)

  /** Runs once the island is hydrated. */
  const resume = useEffectEvent(() => {
    if (!form.current) return
    const stored = given.problem ? null : readWriting(place)
    const shown = readShown(form.current)
    const isTyped = hasBeenTouched()
    const merged = stored ? mergeWriting(stored, shown, { given: given.writing, isTyped }) : shown
    if (!isSameWriting(merged, shown)) showWriting(form.current, merged)
    setWriting(merged)
    if (stored) {
      setPrompt(stored.prompt)
      setBegun((last) => stored.begun ?? last)
    }
    if (!isSameWriting(merged, stored ?? given.writing)) draft.touch()
  })
  useEffect(() => resume(), [])

  const changePrompt = (next: string) => {
    draft.touch()
    setPrompt(next)
  }
  return { form, place, writing, setWriting, prompt, changePrompt, draft, begun, setBegun }
}

/** Reads the clipboard's text. If the browser refuses, the person is asked to paste it into the field. */
async function readClipboard(): Promise<string> {
  document.getElementById('make-text')?.focus()
  try {
    return await navigator.clipboard.readText()
  } catch {
    emit('nocturne:toast', {
      title: 'Paste it yourself',
      description: 'Press Ctrl+V, or hold and choose Paste.',
    })
    return ''
  }
}

/**
 * Saves after a sign-in. The form is gone with the page that asked the visitor to sign in, so errors are shown in a
 * toast.
 */
function saveForNewcomer(request: Parameters<typeof saveWriting>[0]): Promise<void> {
  return orToast(() => saveWriting(request), { title: 'Not saved yet' })
}
