import { AppearingNotice } from '#islands/site/appearing-notice'
import { draftPromptCharactersMax } from '#src/model/rules'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'
import { draftMinutes } from './rules'

/** Panel with a prompt for the model; its draft opens in the form below, where it can be changed. */
export function DraftPanel({
  isConfigured,
  prompt,
  minutes,
  problem,
  draftsLeft,
  isBusy,
  onPrompt,
  onMinutes,
  onDraft,
}: {
  isConfigured: boolean
  prompt: string
  minutes: number
  problem: string | null
  /** Null for a visitor. */
  draftsLeft: number | null
  isBusy: boolean
  onPrompt: (prompt: string) => void
  onMinutes: (minutes: number) => void
  onDraft: () => void
}) {
  if (!isConfigured)
    return (
      <AppearingNotice words="Drafting is not set up here. Writing and pasting work as always.">
        <b>Drafting is not set up here.</b> Writing and pasting work as always.
      </AppearingNotice>
    )
  return (
    <section className="panel stack" aria-label="Draft from a prompt">
      <TextArea
        label="Prompt"
        look="short"
        maxLength={draftPromptCharactersMax}
        value={prompt}
        hint="Say who, where and in what mood. Both adults, both willing."
        error={problem ?? undefined}
        onChange={(event) => onPrompt(event.target.value)}
      />
      <Select
        label="Length"
        choices={draftMinutes.map((each) => ({ value: String(each), label: `${each} min` }))}
        value={String(minutes)}
        onChange={(event) => onMinutes(Number(event.target.value))}
      />
      <div className="btn-row">
        <Button kind="primary" isBusy={isBusy} disabled={prompt.trim() === ''} onClick={onDraft}>
          <Icon name="i-lucide-sm-wand-sparkles" />
          {isBusy ? 'Drafting...' : 'Draft it'}
        </Button>
        <span className="meta">
          {draftsLeft === null
            ? 'The draft opens below, for you to change.'
            : `${pluralize(draftsLeft, 'draft')} left today. It opens below, for you to change.`}
        </span>
      </div>
    </section>
  )
}
