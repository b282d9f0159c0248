import { hiddenWordsMax } from '#src/member/rules'
import { categories } from '#src/story/rules'
import { tidyLine } from '#src/text/tidy-text'
import type { HideForm, Settings } from './settings-schema'

/**
 * The hidden categories and words after a change. A word that is already hidden changes nothing, nor does one above the
 * limit.
 */
export function hideChanges(
  { hiddenCategories, hiddenWords }: Pick<Settings, 'hiddenCategories' | 'hiddenWords'>,
  { category, word, shownWord }: HideForm,
): Pick<Settings, 'hiddenCategories' | 'hiddenWords'> {
  const tidy = tidyLine(word ?? '')
  const isNew = tidy !== '' && !hiddenWords.some((each) => each.toLowerCase() === tidy.toLowerCase())
  return {
    hiddenCategories: categories.filter((each) => hiddenCategories.includes(each) !== (each === category)),
    hiddenWords: [
      ...hiddenWords.filter((each) => each !== shownWord),
      ...(isNew && hiddenWords.length < hiddenWordsMax ? [tidy] : []),
    ],
  }
}
