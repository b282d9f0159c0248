import { consoleUrls } from '#src/console-urls'
import { searchCharactersMax } from '#src/story/rules'
import { Button, ButtonLink } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { Icon } from '#src/ui/icon'
import { type Choice, Select } from '#src/ui/select'
import type { ChangeFilter } from './list-changes'
import { auditActions, parseAction, sentenceOf } from './rules'

/** Filters by actor, action, subject and date, as an ordinary GET form. */
export function AuditFilters({ filter, actors }: { filter: ChangeFilter; actors: readonly string[] }) {
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <search>
      <form className="panel stack" action={consoleUrls.audit()} method="get">
        <div className="field-row">
          <Select
            label="Person"
            name="actor"
            choices={[{ value: '', label: 'Everyone' }, ...actors]}
            defaultValue={filter.actor ?? ''}
          />
          <Select label="Action" name="action" choices={actionChoices} defaultValue={filter.action ?? ''} />
          <Field
            label="Item"
            name="item"
            type="search"
            dir="auto"
            maxLength={searchCharactersMax}
            placeholder="Its title, or its id"
            defaultValue={filter.item ?? ''}
          />
          <Field label="From" name="from" type="date" defaultValue={filter.from ?? ''} />
          <Field label="To" name="to" type="date" defaultValue={filter.to ?? ''} />
        </div>
        <div className="btn-row">
          <Button size="sm" type="submit">
            Show
          </Button>
          {isFiltered && (
            <ButtonLink kind="ghost" size="sm" href={consoleUrls.audit()}>
              Clear Filters
            </ButtonLink>
          )}
          <ButtonLink kind="ghost" size="sm" href={consoleUrls.apiAuditExport(filter)} download="">
            <Icon name="i-lucide-sm-download" />
            Export CSV
          </ButtonLink>
        </div>
      </form>
    </search>
  )
}

const actionChoices: Choice[] = [
  { value: '', label: 'Everything' },
  ...auditActions.map((value) => {
    const sentence = sentenceOf({ ...parseAction(value), name: null })
    return { value, label: sentence.charAt(0).toUpperCase() + sentence.slice(1) }
  }),
]
