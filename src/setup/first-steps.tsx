import { consoleUrls } from '#src/console-urls'
import { LibraryWays } from '#src/library/library-ways'
import { ButtonLink } from '#src/ui/button'
import { Notice } from '#src/ui/notice'
import type { SetupState } from './schema'
import { stepWords } from './setup-page'

/** Shown on the dashboard until all steps are done: the ways to add the first items, and how many steps are left. */
export function FirstSteps({ setup: { isLibraryEmpty, steps } }: { setup: SetupState }) {
  if (!isLibraryEmpty && steps.every(({ isDone }) => isDone)) return null
  return (
    <div className="section section-next stack">
      {isLibraryEmpty && <LibraryWays />}
      <Notice
        action={
          <ButtonLink kind="ghost" size="sm" href={consoleUrls.setup()}>
            First steps
          </ButtonLink>
        }
      >
        The way to a public site: {stepWords(steps)}.
      </Notice>
    </div>
  )
}
