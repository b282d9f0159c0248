import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { contentGuidelines, trainingExamples } from '#db/schema'
import { readDemo } from '#src/demo/seed'
import { chatAnswer, type Received, testModelServer } from '#src/model/testing'
import { stripScript } from '#src/script/format/script'
import { testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { enhanceText } from './enhance'
import { enhanceWithModel, splitIntoParts } from './enhance-with-model'

const server = testModelServer()
const { services } = await testApp({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-canary-canary' })
const bare = await testApp()
const text = 'The last boat left at ten.\n\n“You’re not cold,” she whispered.'
const story = { content: text, type: 'story' as const, categories: ['romantic' as const] }
const signal = new AbortController().signal
const enhance = (more: Partial<typeof story> = {}) =>
  enhanceWithModel(services, { ...story, ...more }, signal)

type Piece = {
  text: string
  marks: string[]
  emotion: string | null
  speaker: string | null
  pauseSecondsAfter: number
}
const piece = (words: string, more: Partial<Piece> = {}): Piece => ({
  text: words,
  marks: [],
  emotion: null,
  speaker: null,
  pauseSecondsAfter: 0,
  ...more,
})
const answer = (...pieces: Piece[]) => chatAnswer(JSON.stringify({ pieces }))
const messages = ({ body }: Received) => body.messages as { role: string; content: string }[]
const promptOf = (each: Received) => messages(each)[1]?.content ?? ''
const instructionsOf = (each: Received) => messages(each)[0]?.content ?? ''
beforeEach(() => {
  server.received.length = 0
})

describe('script generation by a model', () => {
  test('keeps the author’s words under the model’s marks', async () => {
    server.state.answer = () =>
      answer(
        piece('The last boat left at ten. ', { pauseSecondsAfter: 1 }),
        piece('“You’re not cold,”', { marks: ['whisper'], speaker: 'Mara' }),
        piece(' she whispered.'),
      )
    const made = await enhance()
    expect(made).toMatchObject({ madeBy: 'model', note: null })
    expect(stripScript(made?.script ?? [])).toBe(text)
    expect(JSON.stringify(made?.script)).toContain('whisper')
    expect(server.received[0]?.body.response_format).toMatchObject({ type: 'json_schema' })
  })

  test('prompts with the guidelines that apply and approved examples only', async () => {
    await services.db.insert(contentGuidelines).values([
      { ruleType: 'positive_keywords', keywords: ['aftercare', 'tea'], description: 'Kindness is shown' },
      { ruleType: 'content_rules', keywords: ['medical'], description: 'No medical advice' },
      { ruleType: 'content_rules', keywords: ['rope'], description: 'Only for bdsm', categories: ['bdsm'] },
    ])
    await services.db.insert(trainingExamples).values([
      { inputPrompt: 'A night train', expectedOutput: 'Eleven hours.', isApproved: true },
      { inputPrompt: 'A secret', expectedOutput: 'Not approved.' },
    ])
    server.state.answer = () => answer(piece(text))
    await enhance()
    const [first] = server.received
    if (!first) throw new Error('Nobody asked.')
    for (const words of ['aftercare', 'No medical advice', 'A night train', 'Eleven hours.'])
      expect(instructionsOf(first)).toContain(words)
    for (const words of ['Only for bdsm', 'A secret', 'sk-canary'])
      expect(instructionsOf(first)).not.toContain(words)
    await services.db.execute(sql`truncate content_guidelines, training_examples`)
  })

  test('asks once more, quoting the place, when the model changed a word', async () => {
    const answers = [answer(piece(text.replace('boat', 'ferry'))), answer(piece(text))]
    server.state.answer = () => answers.shift() ?? answer()
    expect(await enhance()).toMatchObject({ madeBy: 'model', note: null })
    expect(server.received).toHaveLength(2)
    expect(promptOf(server.received[1] as Received)).toContain('“boat”')
  })

  test('falls back to the built-in enhancer, with a note, when the model keeps changing words', async () => {
    server.state.answer = () => answer(piece('Something else entirely.'))
    const made = await enhance()
    expect(made).toMatchObject({ madeBy: 'built-in', script: await enhanceText(text, 'story') })
    expect(made?.note).toContain('The model changed the words')
    expect(server.received).toHaveLength(2)
  })

  test.each([
    ['500', () => new Response('oops', { status: 500 })],
    ['no JSON', () => chatAnswer('I would rather not.')],
    ['a wrong key', () => Response.json({ error: {} }, { status: 401 })],
    ['a web page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ])('falls back to the built-in enhancer when the model fails with %s', async (_, failing) => {
    server.state.answer = failing
    const made = await enhance()
    expect(made).toMatchObject({ madeBy: 'built-in', script: await enhanceText(text, 'story') })
    expect(made?.note).toContain('The model failed')
  })

  test('splits a long text into parts, and falls back only for the part that failed', async () => {
    const [long] = readDemo('story')
    const content = `${long?.content}\n\n${long?.content}`
    let parts = 0
    server.state.answer = (each) => {
      parts += 1
      return answer(piece(parts === 2 || parts === 3 ? 'no' : promptOf(each), { emotion: 'tender' }))
    }
    const made = await enhance({ content })
    expect(stripScript(made?.script ?? [])).toBe(content)
    expect(made?.madeBy).toBe('model')
    expect(made?.note).toMatch(/made 1 of \d parts/)
  })

  test('returns null when no model is configured', async () => {
    expect(await enhanceWithModel(bare.services, story, signal)).toBeNull()
  })

  test('stops when its job is cancelled', async () => {
    const cancel = new AbortController()
    server.state.answer = () => {
      cancel.abort(new Error('The job was cancelled.'))
      return answer(piece(text))
    }
    await rejectionOf(enhanceWithModel(services, story, cancel.signal))
  })
})

test('splitting a text into parts loses no character', () => {
  for (const content of [
    '',
    'One.',
    'a'.repeat(5_000),
    'A sentence. '.repeat(2_000),
    ...readDemo('flow').map((each) => each.content),
  ]) {
    const cut = splitIntoParts(content, 500)
    expect(cut.join('')).toBe(content)
    if (content.includes('. ')) expect(Math.max(...cut.map(({ length }) => length))).toBeLessThanOrEqual(900)
  }
})
