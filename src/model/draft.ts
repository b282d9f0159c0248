import * as t from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import { promptExamples } from '#src/example/examples'
import type { TextSender } from '#src/guideline/decide'
import { moderateText } from '#src/guideline/moderation-gate'
import { findGuidelines } from '#src/guideline/queries'
import type { Services } from '#src/services'
import { titleCharactersMax } from '#src/story/rules'
import { shorten } from '#src/text/shorten'
import { askModelForJson } from './ask'
import { findModel } from './configuration'
import { draftTemplate, recordOutcome } from './draft-templates'
import { ModelFailure } from './model-failure'
import { promptContext } from './prompt-context'
import { draftWords } from './rules'

export type DraftRequest = {
  prompt: string
  categories: readonly string[]
  /** The intended length in words. */
  words?: number
}
/** A draft that its author may change. `templateId` is for `recordOutcome`, once the draft is saved or discarded. */
export type DraftedStory = { title: string; content: string; warnings: string[]; templateId: string }

const Drafted = t.Object({ title: t.String(), content: t.String() }, { additionalProperties: false })
const draftMs = 120_000

/**
 * Writes a story with the configured model, from a prompt. The guidelines judge the prompt and the result; nothing is
 * stored. Throws `not_configured`, `guideline_blocked`, `invalid` and, if the model fails, `unavailable`.
 */
export async function draftStory(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  { prompt, categories, words = draftWords.default }: DraftRequest,
  by: Omit<TextSender, 'source'>,
  signal?: AbortSignal,
): Promise<DraftedStory> {
  const { db } = services
  const sender: TextSender = { ...by, source: 'draft' }
  const moderated = await moderateText(db, { title: '', content: prompt, categories }, sender)
  if (!moderated.content)
    throw new AppError('invalid', 'Say what the story should be about.', {
      fields: [{ path: 'prompt', message: 'Required' }],
    })
  const model = await findModel(services)
  if (!model)
    throw new AppError('not_configured', 'Drafting is not set up here. Writing and pasting work as always.')
  const template = await draftTemplate(db, categories)
  const system = [
    template.promptTemplate,
    `Write about ${Math.min(draftWords.max, Math.max(draftWords.min, words))} words. Categories: ${categories.join(', ') || 'romantic'}.`,
    promptContext(await findGuidelines(db), await promptExamples(db, categories), categories),
  ].join('\n\n')
  try {
    const answer = await askModelForJson(model, {
      system,
      prompt: moderated.content,
      schema: { name: 'story', schema: Drafted },
      timeoutMs: draftMs,
      ...(signal && { signal }),
    })
    if (!Value.Check(Drafted, answer) || !answer.content.trim())
      throw new ModelFailure('unreadable', 'The model did not answer with a story.')
    const { title, content, warnings } = await moderateText(
      db,
      { title: shorten(answer.title, titleCharactersMax), content: answer.content, categories },
      sender,
    )
    return { title: title || 'Untitled', content, warnings, templateId: template.id }
  } catch (error) {
    await recordOutcome(db, template.id, 'failed')
    if (!(error instanceof ModelFailure)) throw error
    throw asAppError(error)
  }
}

/** The details of a wrong key are logged, not shown to members. */
function asAppError(failure: ModelFailure): AppError {
  if (failure.kind === 'refused')
    return new AppError('invalid', 'The model declined to write this. Try other words.')
  return new AppError('unavailable', 'The model cannot be reached at the moment. Please try again later.', {
    cause: failure,
    retryAfterSeconds: failure.retryAfterSeconds ?? 60,
  })
}
