import { categories } from '#src/story/rules'
import { tidyLine } from '#src/story/tidy-text'
import { hiddenWordsMax } from './rules'
import type { HideForm, Settings } from './settings-schema'

/** What that changes of what is hidden now. A word that is hidden already, or one too many, changes nothing. */
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
