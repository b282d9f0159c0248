import { join } from 'node:path'
import { type Comment, parseSync } from 'oxc-parser'

/**
 * Refuses comments and names of tests that do not begin with their subject: "What all pages have around their content"
 * is "The frame around every page", and "who is signed out reads nothing" is "a signed-out member reads nothing".
 */
const clauseFirst = /^[\s*]*(What|Whatever|Who|Whoever|Whose|Which|Of|Else)\b/
const testNamed =
  /^ *(?:test|describe)\b[^'"`\n]*\(\s*['"`]((?:what|whatever|who|whoever|whose|which|where|else)\b[^'"`\n]*)/gim

const root = join(import.meta.dir, '..')
const files = (
  await Array.fromAsync(new Bun.Glob('{src,islands,cli,db,scripts,e2e}/**/*.{ts,tsx}').scan(root))
)
  .filter((file) => !file.startsWith('islands/runtime/api-types'))
  .sort()
const complaints = (await Promise.all(files.map(checkFile))).flat()
if (complaints.length > 0) {
  console.error(complaints.join('\n'))
  console.error(
    `${complaints.length} comments or names of tests begin with a clause. Begin with the subject.`,
  )
  process.exit(1)
}
console.log(`${files.length} files have comments and tests that begin with their subject.`)

async function checkFile(file: string): Promise<string[]> {
  const text = await Bun.file(join(root, file)).text()
  const placeOf = (at: number) => `${file}:${text.slice(0, at).split('\n').length}`
  const comments = parseSync(file, text)
    .comments.filter((comment, at, all) => !continues(text, comment, all[at - 1]))
    .filter(({ value }) => clauseFirst.test(value))
    .map(({ start, value }) => `${placeOf(start)} ${value.match(/\w.*/)?.[0]}`)
  const names = [...text.matchAll(testNamed)].map(({ index, 1: name }) => `${placeOf(index)} ${name}`)
  return [...comments, ...names]
}

/** Whether a line comment is one of several that follow each other. */
function continues(text: string, { type, start }: Comment, before: Comment | undefined): boolean {
  return type === 'Line' && before?.type === 'Line' && /^\n[ \t]*$/.test(text.slice(before.end, start))
}
