import { lengths, lengthWords } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { PlainSelect } from '#src/ui/select'

/** How long items are, as a choice; empty: any. */
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

/** The same as a form of its own, whose choice is applied at once where there is a script (apply-choices.ts). */
export function LengthFilter({
  action,
  length,
  hidden,
}: {
  action: string
  length?: string
  /** Further parameters of the address. */
  hidden: Record<string, string | undefined>
}) {
  return (
    <form className="btn-row" action={action} method="get" data-keep="" data-apply-choices="">
      {Object.entries(hidden).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <LengthSelect length={length} />
      <noscript>
        <Button type="submit" size="sm">
          Show
        </Button>
      </noscript>
    </form>
  )
}
