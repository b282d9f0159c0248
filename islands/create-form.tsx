import { type FormEvent, useEffect, useRef, useState } from 'react'
import { apiCall, problemOf } from '#islands/api-call'
import { keepWriting, readWriting, saveWriting } from '#islands/create-writing'
import { emit } from '#islands/events'
import { askToSignIn } from '#islands/sign-in-wish'
import { useHints } from '#islands/use-hints'
import { useHydrated } from '#islands/use-hydrated'
import {
  type Begin,
  CreateForm,
  type CreateKind,
  type Problem,
  type Writing,
} from '#src/creation/create-form'
import { CreateSide } from '#src/creation/create-side'
import { DraftPanel } from '#src/creation/draft-panel'
import { draftMinutes, spokenWordsPerMinute } from '#src/creation/rules'
import type { DraftAnswer, MemberLimits } from '#src/creation/schema'
import { draftWords } from '#src/model/rules'
import { countWords } from '#src/story/rules'
import { urls } from '#src/urls'

export type CreateFormProps = {
  kind: CreateKind
  memberId: string | null
  /** Null for a visitor. */
  limits: MemberLimits | null
  wordsMax: number
  /** A model is configured that drafts. */
  isDrafting: boolean
  /** Of an own item that is edited. */
  itemId?: string
  writing: Writing
  /** What the server said of a form that was posted without a script. */
  problem: Problem | null
}

/** While somebody writes, this long after the last letter. */
const keptAfterMs = 600

/** Writing, pasting, drafting and saving, without losing a word. */
export default function CreateFormIsland({
  kind,
  memberId,
  limits,
  wordsMax,
  isDrafting,
  itemId,
  ...given
}: CreateFormProps) {
  const storedName = itemId ? `nocturne.writing.${itemId}` : 'nocturne.writing'
  const form = useRef<HTMLFormElement>(null)
  const isHydrated = useHydrated()
  const [writing, setWriting] = useState(given.writing)
  const [prompt, setPrompt] = useState('')
  const [minutes, setMinutes] = useState<number>(draftMinutes[0])
  const [begin, setBegin] = useState<Begin>('write')
  const [problem, setProblem] = useState<Problem | null>(given.problem)
  const [busy, setBusy] = useState<'save' | 'narrate' | 'draft' | null>(null)
  const [draftId, setDraftId] = useState<string | null>(null)
  const [draftsLeft, setDraftsLeft] = useState(limits?.draftsLeft ?? null)
  const [savedAt, setSavedAt] = useState<string | null>(null)
  /** Nothing is kept before somebody has typed: opening the page changes nothing. */
  const isTouched = useRef(false)
  const keeping = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hints = useHints(memberId ? writing : null)
  const wordCount = countWords(writing.content)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes to life
  useEffect(() => {
    const kept = given.problem ? null : readWriting(storedName, memberId)
    const typed = form.current ? typedBefore(form.current) : null
    if (typed && (typed.title !== given.writing.title || typed.content !== given.writing.content))
      change(typed)
    else if (kept) {
      const { prompt: keptPrompt, ...words } = kept
      setWriting(words)
      setPrompt(keptPrompt)
    }
  }, [])
  useEffect(() => {
    if (!isTouched.current) return
    keeping.current = setTimeout(() => {
      keepWriting(storedName, memberId, { ...writing, prompt })
      setSavedAt(new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }))
    }, keptAfterMs)
    return () => clearTimeout(keeping.current)
  }, [writing, prompt, storedName, memberId])

  const change = (changed: Partial<Writing>) => {
    isTouched.current = true
    setProblem(null)
    setWriting((last) => ({ ...last, ...changed }))
  }

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const isNarrated = submitter?.getAttribute('name') === 'narrate'
    const wish = { name: storedName, writing, isNarrated, itemId, draftId }
    // What is saved leaves the browser: the pending timer must not bring it back.
    clearTimeout(keeping.current)
    keepWriting(storedName, memberId, { ...writing, prompt })
    if (!memberId) return askToSignIn(() => void saveForNewcomer(wish), 'register')
    setBusy(isNarrated ? 'narrate' : 'save')
    const failure = await saveWriting(wish)
    setBusy(null)
    tell(failure)
  }

  const onDraft = async () => {
    if (!memberId) return askToSignIn(() => {}, 'register')
    setBusy('draft')
    setProblem(null)
    try {
      const drafted = (await apiCall(urls.apiDrafts(), {
        method: 'POST',
        body: {
          prompt,
          categories: writing.categories,
          words: Math.min(draftWords.max, minutes * spokenWordsPerMinute),
          ...(draftId && { discards: draftId }),
        },
      })) as DraftAnswer
      setDraftId(drafted.draftId)
      setDraftsLeft((left) => left && left - 1)
      change({ title: drafted.title, content: drafted.content })
      document.getElementById('make-title')?.focus()
    } catch (error) {
      setProblem({ ...problemOf(error), field: 'prompt' })
    } finally {
      setBusy(null)
    }
  }

  const onPaste = async () => {
    setBegin('write')
    const area = document.getElementById('make-text')
    area?.focus()
    try {
      const text = await navigator.clipboard.readText()
      if (text) change({ content: writing.content ? `${writing.content}\n\n${text}` : text })
    } catch {
      emit('nocturne:toast', {
        title: 'Paste it yourself',
        description: 'Press Ctrl+V, or hold and choose Paste.',
      })
    }
  }

  const tell = (failure: Problem | null) => {
    setProblem(failure)
    const field = failure?.field?.startsWith('title') ? 'make-title' : failure?.field ? 'make-text' : null
    if (field) document.getElementById(field)?.focus()
  }

  const isValid =
    writing.title.trim() !== '' && wordCount > 0 && wordCount <= wordsMax && writing.categories.length > 0

  return (
    <CreateForm
      ref={form}
      kind={kind}
      itemId={itemId}
      writing={writing}
      wordCount={wordCount}
      wordsMax={wordsMax}
      problem={problem}
      hints={hints}
      savedWords={savedAt && `Saved as a draft at ${savedAt}`}
      begin={begin}
      isReady={isHydrated}
      onBegin={setBegin}
      onPaste={onPaste}
      onChange={change}
      onSubmit={onSubmit}
      draftPanel={
        <DraftPanel
          isConfigured={isDrafting}
          prompt={prompt}
          minutes={minutes}
          problem={problem?.field === 'prompt' ? problem.message : null}
          draftsLeft={draftsLeft}
          isBusy={busy === 'draft'}
          onPrompt={(next) => {
            isTouched.current = true
            setPrompt(next)
          }}
          onMinutes={setMinutes}
          onDraft={onDraft}
        />
      }
      side={
        <CreateSide
          kind={kind}
          isEdit={itemId !== undefined}
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

/** The form they pressed Save in is gone with the page that asked them to sign in. */
async function saveForNewcomer(wish: Parameters<typeof saveWriting>[0]): Promise<void> {
  const failure = await saveWriting(wish)
  if (failure) emit('nocturne:toast', { kind: 'bad', title: 'Not saved yet', description: failure.message })
}

/** Letters that were typed before the script was there. */
function typedBefore(form: HTMLFormElement): Pick<Writing, 'title' | 'content'> {
  const fields = new FormData(form)
  return {
    title: String(fields.get('title') ?? ''),
    content: String(fields.get('content') ?? '').replace(/\r\n/g, '\n'),
  }
}
