import { expect, test } from 'bun:test'
import { renderToStaticMarkup } from 'react-dom/server'
import { Dialog } from '#src/ui/dialog'
import { FavoriteButton } from '#src/ui/favorite-button'
import { SwitchRow } from '#src/ui/switch-row'
import { RatingForm } from '#src/vote/rating-form'

test('a heart has one name, and its state says whether it is pressed', () => {
  const [empty, filled] = [false, true].map((isFavorite) =>
    renderToStaticMarkup(<FavoriteButton isFavorite={isFavorite} />),
  )
  expect(empty).toContain('aria-pressed="false" aria-label="Add to favorites"')
  expect(filled).toContain('aria-pressed="true" aria-label="Add to favorites"')
})

test('a dialog is described by its words: the focus goes past them', () => {
  const why = 'This one needs an account. It is free.'
  const markup = renderToStaticMarkup(
    <Dialog id="auth" title="Join" words={why}>
      <p>Here.</p>
    </Dialog>,
  )
  expect(markup).toContain('aria-describedby="auth-words"')
  expect(markup).toContain(`id="auth-words">${why}`)
})

test('a switch is named by its title, and described by its words', () => {
  const markup = renderToStaticMarkup(<SwitchRow title="Push" words="When a narration is ready." />)
  const [, name] = markup.match(/aria-labelledby="([^"]+)"/) ?? []
  const [, description] = markup.match(/aria-describedby="([^"]+)"/) ?? []
  expect(markup).toContain(`<b id="${name}">Push</b>`)
  expect(markup).toContain(`id="${description}">When a narration is ready.`)
})

test('stars that nobody has pressed yet are no mistake', () => {
  const rated = { rating: null, comments: '', tags: [], averageRating: 0, totalRatings: 0 }
  const markup = renderToStaticMarkup(<RatingForm itemId="1" title="Reeds" {...rated} />)
  expect(markup.match(/aria-invalid="false"/g)).toHaveLength(5)
})
