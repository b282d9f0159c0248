import type { FormEvent } from 'react'
import { joinFacts } from '#src/text/join-facts'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { TextArea } from '#src/ui/text-area'
import { urls } from '#src/urls'
import { commentsCharactersMax, offeredTags, stars } from './rules'

export type RatingFormProps = {
  itemId: string
  title: string
  rating: number | null
  comments: string
  tags: readonly string[]
  averageRating: number
  totalRatings: number
  error?: string
  isBusy?: boolean
  onRate?: (rating: number) => void
  onSend?: (event: FormEvent<HTMLFormElement>) => void
}

/**
 * Form with five stars, and the comment in a collapsed section. Without a script all of it is sent together; with one a
 * star is enough.
 */
export function RatingForm({
  itemId,
  title,
  rating,
  comments,
  tags,
  averageRating,
  totalRatings,
  error,
  isBusy,
  onRate,
  onSend,
}: RatingFormProps) {
  return (
    <form className="rating" action={urls.rateForm(itemId)} method="post" onSubmit={onSend}>
      <div className="btn-row">
        <fieldset className="stars">
          <legend className="visually-hidden">Rate {title}</legend>
          {stars.map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="rating"
                value={value}
                required
                // Without this, Chromium exposes each star as invalid until one is chosen.
                aria-invalid={false}
                aria-label={`${value} of 5`}
                checked={onRate ? rating === value : undefined}
                defaultChecked={onRate ? undefined : rating === value}
                onChange={onRate && (() => onRate(value))}
              />
              <Icon name="i-lucide-star" />
              <Icon name="i-lucide-pressed-star" />
            </label>
          ))}
        </fieldset>
        <span className="meta num">{ratingWords({ averageRating, totalRatings })}</span>
        <noscript>
          <Button size="sm" type="submit">
            Rate
          </Button>
        </noscript>
      </div>
      <details className="notes" open={error ? true : undefined}>
        <summary>
          A word to the studio
          <Icon name="i-lucide-sm-chevron-down" />
        </summary>
        <div className="stack">
          <fieldset className="chips chips-wrap">
            <legend className="visually-hidden">About</legend>
            {offeredTags.map((tag) => (
              <label key={tag} className="chip">
                <input type="checkbox" name="tags" value={tag} defaultChecked={tags.includes(tag)} />
                {tag}
              </label>
            ))}
          </fieldset>
          <TextArea
            label="In your own words"
            name="comments"
            look="short"
            hint="Read by the studio only."
            error={error}
            maxLength={commentsCharactersMax}
            defaultValue={comments}
          />
          <div className="btn-row">
            <Button type="submit" isBusy={isBusy}>
              Send
            </Button>
          </div>
        </div>
      </details>
    </form>
  )
}

/** "4.8 · 188 ratings", "Not rated yet". */
function ratingWords({
  averageRating,
  totalRatings,
}: Pick<RatingFormProps, 'averageRating' | 'totalRatings'>): string {
  if (totalRatings === 0) return 'Not rated yet'
  return joinFacts(averageRating.toFixed(1), pluralize(totalRatings, 'rating'))
}
