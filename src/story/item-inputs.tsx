import { recordOf } from '#src/shape/pick'
import { readList } from '#src/text/tidy-text'
import { Field } from '#src/ui/field'
import { limitsOf } from '#src/ui/limits'
import { SwitchRow } from '#src/ui/switch-row'
import type { PremiumItem } from './draft-schema'
import {
  definitionOf,
  type ItemField,
  itemFields,
  lineFields,
  listFields,
  textFields,
  yesNoFields,
} from './fields'
import { durationMinutesDefault } from './rules'

/**
 * The props of a field's control: its name, limits, and the item's value. For a new item, placeholder and hint instead
 * of the value.
 */
export function inputOf(field: ItemField, item?: PremiumItem) {
  const { label, placeholder, hint, given, charactersMax } = definitionOf(field)
  // A time or a choice is text only for the API, so it has no limits.
  const input = { name: field, label, ...(charactersMax !== undefined && limitsOf(given)) }
  if (!item) return { ...input, placeholder, hint }
  const value = item[field]
  return { ...input, defaultValue: Array.isArray(value) ? value.join(', ') : String(value ?? '') }
}

/** Field for the minutes of an item, in the range of a form. */
export function MinutesField({
  range: { min, max },
  item,
}: {
  range: { min: number; max: number }
  item?: PremiumItem
}) {
  return (
    <Field
      {...inputOf('duration', item)}
      type="number"
      min={min}
      max={max}
      defaultValue={item?.duration ?? durationMinutesDefault}
      hint={`${min} to ${max}`}
    />
  )
}

/** Controls for the lines and lists without a place of their own in a form: tags, content notes and later ones. */
export function MoreFields({ item }: { item?: PremiumItem }) {
  return moreFields.map((field) => <Field key={field} {...inputOf(field, item)} />)
}

const moreFields = [...lineFields, ...listFields].filter(
  (field) => field !== 'title' && field !== 'categories',
)

export function YesNoFields({ item }: { item?: PremiumItem }) {
  return yesNoFields.map((field) => (
    <SwitchRow
      key={field}
      title={itemFields[field].label}
      words={itemFields[field].hint}
      name={field}
      defaultChecked={item?.[field]}
    />
  ))
}

/** Categories are chosen, not typed. */
const typedLists = listFields.filter((field) => field !== 'categories' && field !== 'tags')

/** Reads the values of a form's fields, as the API accepts them. Each form reads the fields in which forms differ. */
export function readInputs(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const isThere = (field: ItemField) => form.has(field)
  const minutes = Number.parseInt(text('duration'), 10)
  return {
    // The API accepts tags as typed text.
    ...recordOf([...lineFields, ...textFields, 'tags' as const].filter(isThere), text),
    ...recordOf(typedLists.filter(isThere), (field) => readList(text(field))),
    ...recordOf(yesNoFields, isThere),
    duration: Number.isNaN(minutes) ? durationMinutesDefault : minutes,
  }
}
