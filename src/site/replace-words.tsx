import type { Services } from '#src/services'
import { type OwnPage, pathOf, readOwnPage } from './own-texts'
import type { WordsPage } from './words'

/** Problems that were already logged, so that a visited page does not fill the log. */
const logged = new Set<string>()

/**
 * Replaces the text of a built-in page with the operator's own. If the file cannot be shown, the built-in text stays,
 * and a line is logged. The privacy page always has the choice about analytics.
 */
export async function replaceWords(
  { env, log }: Pick<Services, 'env' | 'log'>,
  page: OwnPage,
  builtIn: WordsPage,
): Promise<WordsPage> {
  const file = await readOwnPage(env.dataDir, page)
  if (file.state === 'none') return builtIn
  if (file.state === 'broken') {
    const path = pathOf(env.dataDir, page)
    if (!logged.has(`${path} ${file.problem}`))
      log.warn('a page of your own cannot be shown', { path, problem: file.problem })
    logged.add(`${path} ${file.problem}`)
    return builtIn
  }
  return {
    title: file.title ?? builtIn.title,
    description: builtIn.description,
    body: (
      <>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by markdown-it, which lets no HTML through */}
        <div dangerouslySetInnerHTML={{ __html: file.html }} />
        {page === 'privacy' && <div data-consent-choice="" className="btn-row" />}
      </>
    ),
  }
}
