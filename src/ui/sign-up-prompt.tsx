import type { Item } from '#src/story/schema'
import { ButtonLink } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { StoryText } from '#src/ui/story-text'
import { urls } from '#src/urls'

/**
 * The sign-up prompt that replaces the text once a visitor's free stories are used up. The page contains no part of the
 * story but the excerpt.
 */
export function SignUpPrompt({ item, freeStoryLimit }: { item: Item; freeStoryLimit: number }) {
  const opened = freeStoryLimit === 1 ? 'your free story' : `your ${countWord(freeStoryLimit)} free stories`
  return (
    <>
      <div className="reader-fade">
        <StoryText text={item.excerpt || item.content} />
      </div>
      <section className="dialog dialog-centre reader-limit" aria-labelledby="limit-title">
        <Cover title={item.title} shape="96" />
        <div className="dialog-head">
          <h2 className="title-md" id="limit-title">
            Sign Up to Continue Reading
          </h2>
          <p className="prose">
            {freeStoryLimit > 0 && `You have opened ${opened}. `}
            An account is free, and the page you are on will be waiting.
          </p>
        </div>
        <div className="btn-row">
          <ButtonLink kind="primary" size="lg" href={urls.landing({ next: urls.item(item) })}>
            Sign Up Free
          </ButtonLink>
          <ButtonLink kind="ghost" size="lg" href={urls.explore()} data-close-reader="">
            Continue Browsing
          </ButtonLink>
        </div>
      </section>
    </>
  )
}

const countWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const countWord = (count: number) => countWords[count - 1] ?? String(count)
