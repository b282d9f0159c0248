import type { SubmitEvent } from 'react'
import { hiddenWordCharactersMax, hiddenWordsMax } from '#src/member/rules'
import { categories, categoryLabel } from '#src/story/rules'
import { Button } from '#src/ui/button'
import { useElementId } from '#src/ui/element-id'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import type { Settings } from './settings-schema'

/** Categories and words that a member never wants to see. Every button submits a form, which works without a script. */
export function HidePanel({
  hidden: { hiddenCategories, hiddenWords },
  onSubmit,
}: {
  hidden: Pick<Settings, 'hiddenCategories' | 'hiddenWords'>
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}) {
  const id = useElementId()
  const form = { action: urls.settingsForm('hide'), method: 'post', onSubmit } as const
  return (
    <section className="panel stack" id="hide" aria-labelledby="hide-title">
      <div>
        <h2 id="hide-title">Never show me</h2>
        <p className="hint">Hidden in every list, search, count and queue. What you made yourself stays.</p>
      </div>
      <form {...form} aria-label="Hidden categories">
        <div className="chips chips-wrap">
          {categories.map((category) => {
            const isHidden = hiddenCategories.includes(category)
            return (
              <button
                key={category}
                className="chip"
                type="submit"
                name="category"
                value={category}
                aria-pressed={isHidden}
              >
                {isHidden && <Icon name="i-lucide-sm-eye-off" />}
                {categoryLabel(category)}
              </button>
            )
          })}
        </div>
      </form>
      <form {...form} className="field" aria-label="Hide a word">
        <label htmlFor={id}>A word or a few words</label>
        <div className="hide-word">
          <input
            id={id}
            className="input"
            name="word"
            dir="auto"
            maxLength={hiddenWordCharactersMax}
            autoComplete="off"
            required
            disabled={hiddenWords.length >= hiddenWordsMax}
            aria-describedby={`${id}note`}
          />
          <Button type="submit">Hide</Button>
        </div>
        <p className="hint" id={`${id}note`}>
          Matched as whole words in titles, descriptions, tags and texts. At most {hiddenWordsMax}.
        </p>
      </form>
      {hiddenWords.length > 0 && (
        <form {...form} aria-label="Hidden words">
          <ul className="chips chips-wrap">
            {hiddenWords.map((word) => (
              <li key={word}>
                <button
                  className="chip"
                  type="submit"
                  name="shownWord"
                  value={word}
                  aria-label={`Show “${word}” again`}
                >
                  {word}
                  <Icon name="i-lucide-sm-x" />
                </button>
              </li>
            ))}
          </ul>
        </form>
      )}
    </section>
  )
}
