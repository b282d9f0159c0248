import type { SubmitEvent } from 'react'
import { IslandTime } from '#islands/site/local-time'
import { consoleUrls } from '#src/console-urls'
import { Button } from '#src/ui/button'
import { flagWords, freeStoriesMax } from './rules'
import type { ListedFlag } from './schema'

/** One flag as a plain form whose buttons carry the value; the island sends it without leaving the page. */
export function FlagRow({
  flag,
  error,
  onSubmit,
}: {
  flag: ListedFlag
  error?: string
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void
}) {
  const { name, value, isDefault } = flag
  const { title, words } = flagWords[name]
  return (
    <form
      className="setting"
      action={consoleUrls.adminFlags()}
      method="post"
      aria-label={title}
      onSubmit={onSubmit}
    >
      <span>
        <b className="label">{title}</b>
        <span className="hint">{words}</span>
        <ChangedLine flag={flag} />
        {error && (
          <span className="hint hint-bad" role="alert">
            {error}
          </span>
        )}
      </span>
      <span className="btn-row">
        <input type="hidden" name="name" value={name} />
        {typeof value === 'boolean' ? <OnOff isOn={value} /> : <Amount flag={flag} />}
        {!isDefault && (
          <Button kind="ghost" size="sm" type="submit" name="value" value="default" formNoValidate>
            Back to the default
          </Button>
        )}
      </span>
    </form>
  )
}

/** Both states as buttons that say what they do, with a script or without. */
function OnOff({ isOn }: { isOn: boolean }) {
  return (
    <span className="segment">
      <button type="submit" name="value" value="true" aria-pressed={isOn}>
        On
      </button>
      <button type="submit" name="value" value="false" aria-pressed={!isOn}>
        Off
      </button>
    </span>
  )
}

function Amount({ flag: { name, value } }: { flag: ListedFlag }) {
  return (
    <>
      <input
        // The key makes the field show a reset to the default.
        key={String(value)}
        className="input input-short"
        type="number"
        name="amount"
        aria-label={flagWords[name].title}
        min={0}
        max={freeStoriesMax}
        step={1}
        required
        defaultValue={String(value)}
      />
      <Button size="sm" type="submit">
        Save
      </Button>
    </>
  )
}

function ChangedLine({ flag }: { flag: ListedFlag }) {
  const { isDefault, updatedBy, updatedAt } = flag
  const by = updatedBy && updatedAt && (
    <>
      {', changed by '}
      {updatedBy} <IslandTime at={updatedAt} />
    </>
  )
  return (
    <span className="meta">
      {isDefault ? 'The default' : `Default: ${inWords(flag.default)}`}
      {by}
    </span>
  )
}

function inWords(value: ListedFlag['value']): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
}
