import { type RefObject, useRef, useState } from 'react'
import { GuidelineDialog } from '#islands/guideline/guideline-dialog'
import { fetchPreview, itemWords, previewIn, RuleQuestion } from '#islands/guideline/guideline-preview'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { toastProblem } from '#islands/runtime/or-toast'
import { showDialog } from '#islands/site/show-dialog'
import { severities } from '#src/guideline/rules'
import type { GuidelinePreview, ListedGuideline } from '#src/guideline/schema'
import { SeverityBadge } from '#src/guideline/severity-badge'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Icon } from '#src/ui/icon'
import { PlainSelect } from '#src/ui/select'
import { Switch } from '#src/ui/switch'

const severityChoices = [
  { value: '', label: 'All severities' },
  ...severities.map((each) => ({ value: each, label: each })),
]

type Question = {
  rule: ListedGuideline
  kind: 'activate' | 'deactivate' | 'remove'
  preview: GuidelinePreview
  go: (confirmation: { confirm?: 'true' }) => Promise<void>
}

/**
 * The list of rules, which can be added, edited, turned on and off, and deleted. The built-in ones cannot be changed.
 */
export default function GuidelineList(props: { rules: ListedGuideline[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const questions = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [edited, setEdited] = useState<ListedGuideline | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const [severity, setSeverity] = useState('')

  const open = (rule: ListedGuideline | null) => {
    setEdited(rule)
    showDialog(dialog.current)
  }
  const ask = (question: Question) => {
    setQuestion(question)
    showDialog(questions.current)
  }
  const { rules, save, turn, remove } = useRules(props.rules, heading)
  const shown = rules.filter((rule) => severity === '' || rule.severity === severity)
  const change = (question: Omit<Question, 'preview'>) => changeOrAsk(question, ask)

  return (
    <section className="panel panel-flush" aria-labelledby="rules">
      <div className="panel-head plan-head">
        <h2 id="rules" ref={heading} tabIndex={-1}>
          Rules <span className="meta">{rules.filter(({ isActive }) => isActive).length} active</span>
        </h2>
        <div className="btn-row needs-script">
          <PlainSelect
            label="Severity"
            choices={severityChoices}
            value={severity}
            onChange={(event) => setSeverity(event.target.value)}
          />
          <Button kind="primary" onClick={() => open(null)}>
            <Icon name="i-lucide-sm-plus" />
            Add Guideline
          </Button>
        </div>
      </div>
      <div className="rules">
        {shown.map((rule) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            onTurn={(isActive) =>
              void change({
                rule,
                kind: isActive ? 'activate' : 'deactivate',
                go: (confirmation) => turn(rule, { isActive, ...confirmation }),
              })
            }
            onRemove={() => void change({ rule, kind: 'remove', go: () => remove(rule) })}
            onEdit={() => open(rule)}
          />
        ))}
        {shown.length === 0 && <p className="plan-head meta">No rule of this severity.</p>}
      </div>
      <GuidelineDialog ref={dialog} rule={edited} onSaved={save} />
      <QuestionDialog ref={questions} asked={question} />
    </section>
  )
}

/** The rules and the actions on them. Each action shows its outcome, and throws if the server refuses it. */
function useRules(initial: ListedGuideline[], heading: RefObject<HTMLHeadingElement | null>) {
  const [rules, setRules] = useState(initial)
  const save = (rule: ListedGuideline) =>
    setRules((all) =>
      all.some(({ id }) => id === rule.id)
        ? all.map((each) => (each.id === rule.id ? rule : each))
        : [rule, ...all],
    )
  const turn = async (
    { id }: ListedGuideline,
    { isActive, confirm }: { isActive: boolean; confirm?: 'true' },
  ) => {
    const given = { path: { id }, query: { confirm }, body: { isActive } }
    save(await operatorApi('PATCH /api/content-guidelines/:id', given))
    emit('nocturne:toast', { title: isActive ? 'Guideline activated' : 'Guideline deactivated' })
  }
  const remove = async (rule: ListedGuideline) => {
    await operatorApi('DELETE /api/content-guidelines/:id', { path: { id: rule.id } })
    setRules((all) => all.filter((each) => each.id !== rule.id))
    // The button is removed with its rule, so the focus moves to the heading of the list.
    heading.current?.focus()
    emit('nocturne:toast', { title: 'Guideline deleted', description: nameOf(rule) })
  }
  return { rules, save, turn, remove }
}

/** Acts at once, or asks first if items would return to their earlier status or the server requires a confirmation. */
async function changeOrAsk(
  question: Omit<Question, 'preview'>,
  ask: (question: Question) => void,
): Promise<void> {
  try {
    if (question.kind !== 'activate') {
      const preview = await fetchPreview({ ruleId: question.rule.id, rule: { isActive: false } })
      if (preview.released > 0) return ask({ ...question, preview })
    }
    await question.go({})
  } catch (error) {
    const preview = previewIn(error)
    if (preview) ask({ ...question, preview })
    else fail(error)
  }
}

type RuleActions = {
  onTurn: (isActive: boolean) => void
  onEdit: () => void
  onRemove: () => void
}

function RuleButtons({ rule, onTurn, onEdit, onRemove }: { rule: ListedGuideline } & RuleActions) {
  const name = nameOf(rule)
  return (
    <div className="btn-row">
      <Switch
        aria-label={`Active: ${name}`}
        checked={rule.isActive}
        onChange={(event) => onTurn(event.target.checked)}
      />
      <button className="icon-btn" type="button" aria-label={`Edit guideline: ${name}`} onClick={onEdit}>
        <Icon name="i-lucide-sm-pencil" />
      </button>
      <button className="icon-btn" type="button" aria-label={`Delete guideline: ${name}`} onClick={onRemove}>
        <Icon name="i-lucide-sm-trash" />
      </button>
    </div>
  )
}

function RuleRow({ rule, ...actions }: { rule: ListedGuideline } & RuleActions) {
  const name = nameOf(rule)
  return (
    <article className="rule">
      <div>
        <SeverityBadge severity={rule.severity} />
      </div>
      <div className="row-words">
        <h3>{name}</h3>
        {rule.keywords.length > 0 && (
          <p className="words">
            {rule.keywords.map((word) => (
              <span className="word" key={word}>
                {word}
              </span>
            ))}
          </p>
        )}
        <div className="meta-row">
          <span>{rule.ruleType}</span>
          <span>{rule.categories.length > 0 ? rule.categories.join(', ') : 'everywhere'}</span>
          {rule.builtIn && <span>built in, version {rule.version}</span>}
          {!rule.isActive && <span>not active</span>}
        </div>
      </div>
      {rule.builtIn ? (
        <span className="icon-btn" title="Built in: cannot be removed">
          <Icon name="i-lucide-sm-lock" />
        </span>
      ) : (
        <RuleButtons rule={rule} {...actions} />
      )}
    </article>
  )
}

const questionWords: Record<Question['kind'], { verb: string; yes: (preview: GuidelinePreview) => string }> =
  {
    activate: { verb: 'Turn on', yes: ({ held }) => `Turn it on and hold ${itemWords(held)}` },
    deactivate: { verb: 'Turn off', yes: ({ released }) => `Turn it off and let ${itemWords(released)} go` },
    remove: { verb: 'Delete', yes: ({ released }) => `Delete it and let ${itemWords(released)} go` },
  }

/** Asks for confirmation before held items return to their earlier status, or before a rule holds many items. */
function QuestionDialog({
  ref,
  asked,
}: {
  ref: RefObject<HTMLDialogElement | null>
  asked: Question | null
}) {
  const close = () => ref.current?.close()
  const go = (question: Question) => {
    // Closing moves the focus to an element that remains after the change, so it comes first.
    close()
    question.go({ confirm: 'true' }).catch(fail)
  }
  return (
    <Dialog
      id="ask-guideline"
      ref={ref}
      title={asked ? `${questionWords[asked.kind].verb} “${nameOf(asked.rule)}”?` : 'Guideline'}
    >
      {asked && (
        <RuleQuestion
          preview={asked.preview}
          yes={questionWords[asked.kind].yes(asked.preview)}
          onYes={() => go(asked)}
          onNo={close}
        />
      )}
    </Dialog>
  )
}

/** Returns the name of a rule: its description, otherwise its first keywords. */
function nameOf({ description, keywords, ruleType }: ListedGuideline): string {
  return description || keywords.slice(0, 3).join(', ') || ruleType
}

function fail(error: unknown) {
  toastProblem('Error', problemOf(error, 'Please try again').message)
}
