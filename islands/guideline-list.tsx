import { Lock, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Static } from 'typebox'
import { emit } from '#islands/events'
import { GuidelineDialog } from '#islands/guideline-dialog'
import { failureWords, operatorCall } from '#islands/operator-call'
import { takeToastsInto } from '#islands/toasts-in-dialog'
import { severities } from '#src/guideline/rules'
import type { ListedGuideline } from '#src/guideline/schema'
import { SeverityBadge } from '#src/guideline/severity-badge'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Select } from '#src/ui/select'
import { Switch } from '#src/ui/switch'
import { urls } from '#src/urls'

export type Rule = Static<typeof ListedGuideline>

/** The rules (operator.md §2): added, turned on and off, deleted. The built-in ones stay as they are. */
export default function GuidelineList(props: { rules: Rule[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [rules, setRules] = useState(props.rules)
  const [severity, setSeverity] = useState('')
  const shown = rules.filter((rule) => severity === '' || rule.severity === severity)

  const open = () => {
    if (!dialog.current) return
    dialog.current.showModal()
    takeToastsInto(dialog.current)
  }
  const turn = async (rule: Rule, isActive: boolean) => {
    try {
      await operatorCall(urls.apiGuideline(rule.id), { method: 'PATCH', body: { isActive } })
      setRules((all) => all.map((each) => (each.id === rule.id ? { ...each, isActive } : each)))
      emit('nocturne:toast', { title: isActive ? 'Guideline activated' : 'Guideline deactivated' })
    } catch (error) {
      fail(error)
    }
  }
  const remove = async (rule: Rule) => {
    try {
      await operatorCall(urls.apiGuideline(rule.id), { method: 'DELETE' })
      setRules((all) => all.filter((each) => each.id !== rule.id))
      // The button is gone with its rule: whoever uses the keyboard goes on from the list's beginning.
      heading.current?.focus()
      emit('nocturne:toast', { title: 'Guideline deleted', description: nameOf(rule) })
    } catch (error) {
      fail(error)
    }
  }

  return (
    <section className="panel panel-flush" aria-labelledby="rules">
      <div className="panel-head plan-head">
        <h2 id="rules" ref={heading} tabIndex={-1}>
          Rules <span className="meta">{rules.filter(({ isActive }) => isActive).length} active</span>
        </h2>
        <Button kind="primary" onClick={open}>
          <Icon of={Plus} size="sm" />
          Add Guideline
        </Button>
      </div>
      <div className="plan-head">
        <Select
          label="Severity"
          choices={[{ value: '', label: 'All severities' }, ...severities]}
          value={severity}
          onChange={(event) => setSeverity(event.target.value)}
        />
      </div>
      <div className="rules">
        {shown.map((rule) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            onTurn={(isActive) => void turn(rule, isActive)}
            onRemove={() => void remove(rule)}
          />
        ))}
        {shown.length === 0 && <p className="plan-head meta">No rule of this severity.</p>}
      </div>
      <GuidelineDialog ref={dialog} onAdded={(rule) => setRules((all) => [rule, ...all])} />
    </section>
  )
}

function RuleRow({
  rule,
  onTurn,
  onRemove,
}: {
  rule: Rule
  onTurn: (isActive: boolean) => void
  onRemove: () => void
}) {
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
          <Icon of={Lock} size="sm" />
        </span>
      ) : (
        <div className="btn-row">
          <Switch
            aria-label={`Active: ${name}`}
            checked={rule.isActive}
            onChange={(event) => onTurn(event.target.checked)}
          />
          <button
            className="icon-btn"
            type="button"
            aria-label={`Delete guideline: ${name}`}
            onClick={onRemove}
          >
            <Icon of={Trash2} size="sm" />
          </button>
        </div>
      )}
    </article>
  )
}

/** What a rule is called: its description, else its first words. */
function nameOf({ description, keywords, ruleType }: Rule): string {
  return description || keywords.slice(0, 3).join(', ') || ruleType
}

function fail(error: unknown) {
  emit('nocturne:toast', {
    kind: 'bad',
    title: 'Error',
    description: failureWords(error, 'Please try again'),
  })
}
