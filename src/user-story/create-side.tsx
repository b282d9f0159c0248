import { narratorName } from '#src/narration/rules'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import type { CreateKind } from './create-form'
import { spokenMinutes, type Writing } from './rules'
import type { MemberLimits } from './schema'

/** The options of the new item, and its buttons. */
export function CreateSide({
  kind,
  isEdit,
  writing,
  wordCount,
  limits,
  isDisabled,
  busy,
}: {
  kind: CreateKind
  isEdit: boolean
  writing: Writing
  wordCount: number
  /** Null for a visitor. */
  limits: MemberLimits | null
  isDisabled: boolean
  busy: 'save' | 'narrate' | 'draft' | null
}) {
  const isNarrated = kind === 'audio' && !isEdit
  const isUsedUp = isNarrated && limits?.narrationsLeft === 0
  return (
    <aside className="make-side" aria-label="Before it starts">
      <section className="panel stack">
        <h2>{isEdit ? 'Change it' : isNarrated ? 'Narrate it' : 'Keep it'}</h2>
        <dl className="facts">
          <dt>Length</dt>
          <dd>{wordCount === 0 ? 'as written' : `about ${spokenMinutes(wordCount)} min, as written`}</dd>
          {kind === 'audio' && (
            <>
              <dt>Narrator</dt>
              <dd>{narratorName(writing.narrator)}</dd>
            </>
          )}
          <dt>Seen by</dt>
          <dd>you alone</dd>
        </dl>
        <div className="stack-sm">
          {isNarrated && !isUsedUp && (
            <Button
              kind="primary"
              size="lg"
              isBlock
              type="submit"
              name="narrate"
              value="yes"
              disabled={isDisabled}
            >
              <Icon name="i-lucide-audio-lines" />
              {busy === 'narrate' ? 'Creating...' : 'Create audio'}
            </Button>
          )}
          <Button
            kind={isNarrated && !isUsedUp ? 'quiet' : 'primary'}
            size={isNarrated ? undefined : 'lg'}
            isBlock
            type="submit"
            disabled={isDisabled}
          >
            {busy === 'save' ? 'Saving...' : isEdit ? 'Save changes' : 'Save as a story'}
          </Button>
        </div>
        {isNarrated && limits && <LimitWords limits={limits} />}
        {isEdit && <p className="meta">The narration keeps the old words until you have a new one made.</p>}
      </section>
    </aside>
  )
}

function LimitWords({ limits }: { limits: MemberLimits }) {
  const { narrationsLeft, narrationsADay } = limits
  if (narrationsLeft === 0)
    return (
      <p className="meta">
        {narrationsADay === 1 ? 'One narration' : pluralize(narrationsADay, 'narration')} a day, and today’s
        are used up. The next is available tomorrow at 00:00 UTC. Writing and saving stay open.
      </p>
    )
  return (
    <p className="meta">
      {`${narrationsLeft} of ${pluralize(narrationsADay, 'narration')} left today. `}
      You can leave this page; it continues without you.
    </p>
  )
}
