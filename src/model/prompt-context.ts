import { promptExampleCharactersMax } from '#src/example/rules'
import type { Guidelines } from '#src/guideline/judge'
import { promptRules } from '#src/guideline/queries'
import { shorten } from '#src/text/shorten'

/** The common part of every prompt: the rules, the preferred contents, and approved examples. */
export function promptContext(
  guidelines: Guidelines,
  examples: readonly { inputPrompt: string; expectedOutput: string }[],
  categories: readonly string[],
): string {
  const { positive, rules, avoid } = promptRules(guidelines, categories)
  return [
    listOf('Rules of the house, without exception:', rules),
    listOf('What does not belong in a text:', avoid),
    listOf('What is liked:', positive),
    examples.length > 0
      ? `Examples that the studio approved, for tone and pace:\n\n${examples.map(exampleText).join('\n\n')}`
      : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

function listOf(heading: string, lines: readonly string[]): string {
  return lines.length > 0 ? `${heading}\n${lines.map((line) => `- ${line}`).join('\n')}` : ''
}

function exampleText({
  inputPrompt,
  expectedOutput,
}: {
  inputPrompt: string
  expectedOutput: string
}): string {
  const output =
    expectedOutput.length > promptExampleCharactersMax
      ? `${shorten(expectedOutput, promptExampleCharactersMax)}…`
      : expectedOutput
  return `<example>\nAsked: ${inputPrompt}\nWritten: ${output}\n</example>`
}
