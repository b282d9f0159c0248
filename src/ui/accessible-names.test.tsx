import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { Dialog } from '#src/ui/dialog'
import { FavoriteButton } from '#src/ui/favorite-button'
import { SettingSwitch } from '#src/ui/switch'
import { SwitchRow } from '#src/ui/switch-row'
import { RatingForm } from '#src/vote/rating-form'

test('the favourite button has the same name in both states, and aria-pressed tells them apart', () => {
  const [empty, filled] = [false, true].map((isFavorite) =>
    renderToStaticMarkup(<FavoriteButton isFavorite={isFavorite} />),
  )
  expect(empty).toContain('aria-pressed="false" aria-label="Add to favorites"')
  expect(filled).toContain('aria-pressed="true" aria-label="Add to favorites"')
})

test('a dialog is described by its text through aria-describedby', () => {
  const why = 'This one needs an account. It is free.'
  const markup = renderToStaticMarkup(
    <Dialog id="auth" title="Join" words={why}>
      <p>Here.</p>
    </Dialog>,
  )
  expect(markup).toContain('aria-describedby="auth-words"')
  expect(markup).toContain(`id="auth-words">${why}`)
})

test('a switch is labelled by its title and described by its text', () => {
  for (const Row of [SwitchRow, SettingSwitch]) {
    const markup = renderToStaticMarkup(<Row title="Push" words="When a narration is ready." />)
    const [, name] = markup.match(/aria-labelledby="([^"]+)"/) ?? []
    const [, description] = markup.match(/aria-describedby="([^"]+)"/) ?? []
    expect(markup).toMatch(new RegExp(`<b [^>]*id="${name}">Push</b>`))
    expect(markup).toContain(`id="${description}">When a narration is ready.`)
  }
})

test('unrated stars are not marked as invalid', () => {
  const rated = { rating: null, comments: '', tags: [], averageRating: 0, totalRatings: 0 }
  const markup = renderToStaticMarkup(<RatingForm itemId="1" title="Reeds" {...rated} />)
  expect(markup.match(/aria-invalid="false"/g)).toHaveLength(5)
})
