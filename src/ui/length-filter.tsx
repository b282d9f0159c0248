import { lengths, lengthWords } from '#src/story/rules'
import { ChoicesForm } from '#src/ui/choices-form'
import { PlainSelect } from '#src/ui/select'

/** A choice of length. Empty means any. */
export function LengthSelect({ length = '' }: { length?: string }) {
  return (
    <PlainSelect
      label="Length"
      name="length"
      id="length"
      defaultValue={length}
      choices={[
        { value: '', label: 'Any length' },
        ...lengths.map((each) => ({ value: each, label: lengthWords[each] })),
      ]}
    />
  )
}

/** `LengthSelect` in a form of its own. */
export function LengthFilter({
  action,
  length,
  hidden,
}: {
  action: string
  length?: string
  /** Further query parameters of the address. */
  hidden: Record<string, string | undefined>
}) {
  return (
    <ChoicesForm action={action}>
      {Object.entries(hidden).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <LengthSelect length={length} />
    </ChoicesForm>
  )
}
