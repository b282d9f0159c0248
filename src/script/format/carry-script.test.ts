import { expect, test } from 'bun:test'
import { countTurns } from '#src/testing/count-turns'
import { fc } from '#src/testing/properties'
import { carryScript } from './carry-script'
import { parseScript } from './parse-script'
import { printScript } from './print-script'
import { stripScript } from './script'

async function carry(source: string, text: string): Promise<string | null> {
  const { script } = parseScript(source)
  const carried = script && (await carryScript(script, text))
  return carried && printScript(carried)
}

const script =
  'The last boat left at ten.[pause 2s] [whisper]“Come in,” she said.[/whisper]\n\n[slower]Nobody slept.[/slower]'

test.each([
  ['is the same', 'The last boat left at ten. “Come in,” she said.\n\nNobody slept.', script],
  [
    'has a word corrected within a mark',
    'The last boat left at ten. “Come inside,” she said.\n\nNobody slept.',
    script.replace('in,', 'inside,'),
  ],
  [
    'has a whole marked sentence written anew',
    'The last boat left at ten. “Come in,” she said.\n\nAll were awake.',
    script.replace('Nobody slept', 'All were awake'),
  ],
  [
    'has new words after a plain sentence and before it',
    'Late. The last boat, the ferry, left at ten. “Come in,” she said.\n\nNobody slept.',
    script.replace('The last boat', 'Late. The last boat, the ferry,'),
  ],
  [
    'has lost a marked sentence',
    'The last boat left at ten.\n\nNobody slept.',
    'The last boat left at ten.[pause 2s]\n\n[slower]Nobody slept.[/slower]',
  ],
  [
    'has a new paragraph before a marked one',
    'The last boat left at ten. “Come in,” she said.\n\nThe lamp burned.\n\nNobody slept.',
    script.replace('\n\n', '\n\nThe lamp burned.\n\n'),
  ],
])('a script is carried over to a text that %s', async (_, text, expected) => {
  expect(await carry(script, text)).toBe(expected)
})

test('a script is not carried over to a text that shares little with its own', async () => {
  for (const text of [
    '',
    'Another text.',
    'A quite different evening, in a town with neither boats nor lamps.',
  ])
    expect(await carry(script, text)).toBeNull()
})

test('a carried-over script always has exactly the words of the new text', async () => {
  const words = fc.array(fc.constantFrom('boat', 'lamp', ' ', '\n', '\n\n', '.', '“so”', 'ليل', '[', '🌙'), {
    maxLength: 30,
  })
  const marked = fc.record({ before: words, inside: words, after: words })
  let carried = 0
  await fc.assert(
    fc.asyncProperty(
      marked,
      fc.nat(90),
      fc.nat(6),
      words,
      async ({ before, inside, after }, at, count, added) => {
        const leaf = (parts: string[]) => ({ kind: 'text' as const, text: parts.join('') })
        const whole = [leaf(before), { kind: 'whisper' as const, children: [leaf(inside)] }, leaf(after)]
        const text = [...before, ...inside, ...after].toSpliced(at, count, ...added).join('')
        const over = await carryScript(whole, text)
        if (over === null) return
        carried += 1
        expect(stripScript(over)).toBe(text)
      },
    ),
    { numRuns: 500 },
  )
  expect(carried).toBeGreaterThan(250)
})

test('a book’s script is carried over when a name is replaced throughout', async () => {
  const paragraphs = Array.from({ length: 1_000 }, (_, at) => `She lit lamp ${at}, and then Mara waited.`)
  const script = paragraphs.map((each) => `[softer]${each}[/softer]`).join('\n\n')
  const rename = (text: string) => text.replaceAll('Mara', 'Nora')
  expect((await carry(script, rename(paragraphs.join('\n\n')))) === rename(script)).toBe(true)
})

test('a book’s script is carried over when paragraphs are added and removed', async () => {
  const paragraphs = Array.from(
    { length: 1_000 },
    (_, at) => `[softer]She lit lamp ${at} and waited.[/softer]`,
  )
  const changed = (mark: string) =>
    paragraphs
      .flatMap((each, at) => (at % 40 === 3 ? [] : at % 40 === 9 ? [mark, each] : [each]))
      .join('\n\n')
  const plain = changed('The wind rose.').replaceAll(/\[[^\]]*\]/g, '')
  const carried = await carry(paragraphs.join('\n\n'), plain)
  expect(carried?.match(/\[softer\]She lit lamp \d+ and waited\.\[\/softer\]/g)?.length).toBe(975)
})

test('a long paragraph’s script is carried over when many words are corrected', async () => {
  const sentences = Array.from({ length: 200 }, (_, at) => `She lit lamp ${at}, and then Mara waited.`)
  const rewritten = sentences.map((each, at) => (at % 4 === 1 ? each.replace('then Mara', 'the girl') : each))
  const text = ['Late.', ...rewritten].join(' ')
  const carried = await carry(`${sentences.join(' ')}[pause 3s]`, text)
  expect(carried === `${text}[pause 3s]`).toBe(true)
})

test('carrying a script over to a half-rewritten book yields to the event loop and limits its CPU time', async () => {
  const word = (at: number) => `w${at % 977}`
  const line = (_: unknown, at: number) =>
    Array.from({ length: 29 }, (_, each) => word(at * 29 + each)).join(' ')
  const text = Array.from({ length: 6_900 }, line).join('\n\n')
  const before = process.threadCpuUsage()
  const turns = await countTurns(() =>
    carryScript([{ kind: 'text', text }], text.replaceAll(/w(\d*[02468])(?= )/g, 'v$1')),
  )
  const { user, system } = process.threadCpuUsage(before)
  expect(turns).toBeGreaterThan(5)
  // Microseconds. Without the budget of steps it takes five times as long.
  expect(user + system).toBeLessThan(1_500_000)
})
