import { and, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { normalizeText } from '#src/text/normalize'
import type { NeverShown } from './schema'

/**
 * Condition that an item of `stories` (which must have that name in the query) has no hidden category, and no hidden
 * word in title, description, excerpt, tags or text. Undefined if nothing is hidden, so that the query is unchanged. It
 * is evaluated row by row: a list ends after one page of rows, whereas an index would first collect all rows with a
 * word, and common words are in every fifth item.
 */
export function isShownTo(neverShown: NeverShown | null | undefined): SQL | undefined {
  if (!neverShown) return undefined
  const { categories, words } = neverShown
  return and(
    categories.length > 0 ? sql`not stories.categories && ${textArray(categories)}` : undefined,
    ...listSaying(words).map((says) => sql`not ${says}`),
  )
}

/** Finds the member's hidden categories and words that apply to an item. Null if none does. */
export async function whyNotShown(
  db: Executor,
  item: { id: string; categories: readonly string[] },
  { categories, words }: NeverShown,
): Promise<NeverShown | null> {
  const [found] = await db.execute<{ words: string[] }>(sql`
    select array_remove(array[${sql.join(
      [
        sql`null`,
        ...words.map((word) => sql`case when ${hasWord(word) ?? sql`false`} then ${word}::text end`),
      ],
      sql`, `,
    )}]::text[], null) as words
    from stories where stories.id = ${item.id}::uuid`)
  const why = {
    categories: categories.filter((each) => item.categories.includes(each)),
    words: found?.words ?? [],
  }
  return why.categories.length + why.words.length > 0 ? why : null
}

/** Conditions for hidden words: one for all single words, and one for each phrase. */
function listSaying(words: readonly string[]): SQL[] {
  const forms = words.map(foldWords)
  const single = forms.flatMap((form) => (form.length === 1 ? form : []))
  const phrases = forms.filter((form) => form.length > 1)
  return [
    ...(single.length > 0 ? [sql`(stories.words && ${textArray(single)})`] : []),
    ...phrases.map(hasPhrase),
  ]
}

function hasWord(word: string): SQL | undefined {
  return listSaying([word])[0]
}

/**
 * Condition that an item has the words of a phrase, in this order. Only items with all of the words are searched for
 * it.
 */
function hasPhrase(form: readonly string[]): SQL {
  return sql`(stories.words @> ${textArray(form)} and nocturne_fold(concat_ws(' ', stories.title, stories.description, stories.excerpt, array_to_string(stories.tags, ' '), stories.content)) ~ ${`(^|[^[:alnum:]])${form.join('[^[:alnum:]]+')}($|[^[:alnum:]])`})`
}

/**
 * Splits a text into words like `stories.words`: without case and diacritics, at anything other than letters and
 * digits.
 */
function foldWords(text: string): string[] {
  const folded = normalizeText(text, 'NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, wordCharactersMax).join(''))
}

/** The same number as in nocturne_words(). */
const wordCharactersMax = 60

function textArray(values: readonly string[]): SQL {
  return sql`array[${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )}]::text[]`
}
