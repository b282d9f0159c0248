import * as t from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import { type DecisionRecord, hashOf, type TextSender } from '#src/guideline/decide'
import {
  type AdmittedText,
  type ModeratedText,
  moderateText,
  type TextToModerate,
} from '#src/guideline/moderation-gate'
import { recordDecisions } from '#src/guideline/record'
import { limited } from '#src/http-client/limited'
import { openaiUrlDefault } from '#src/model/rules'
import { errorFields } from '#src/process/log'
import { measuredCall } from '#src/process/metrics'
import { traceHeaders } from '#src/process/trace'
import type { Services } from '#src/services'

/**
 * The categories of a moderation endpoint that matter here; `sexual` alone does not, as it is this library's subject.
 * Texts in the first are refused, those in the others are held for an operator.
 */
const refused = ['sexual/minors']
const held = [
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'hate',
  'hate/threatening',
  'violence/graphic',
]

/** Timeout. A caller waits for the response, which is only advisory. */
const opinionMs = 5_000
/** Maximum length of a piece of the text, and pieces per call. */
const pieceCharacters = 8_000
const piecesMax = 16

const Answer = t.Object({ results: t.Array(t.Object({ categories: t.Record(t.String(), t.Unknown()) })) })

/**
 * Moderates a text as `moderateText` does, then with the moderation endpoint if one is configured. Its failure is
 * logged and blocks nothing. Throws what `moderateText` does; a refusal by the endpoint is recorded.
 */
export async function moderateWithSecondOpinion(
  services: Pick<Services, 'db' | 'env' | 'log'>,
  text: TextToModerate,
  by: TextSender,
): Promise<AdmittedText> {
  const admitted = await moderateText(services.db, text, by)
  const found = await askOpinion(services, admitted)
  if (found.length === 0) return admitted
  const judged = { ...admitted, tags: text.tags, categories: text.categories }
  const decisions = found.map((category) => decisionOn(category, hashOf(judged), by))
  if (found.some((category) => refused.includes(category))) {
    await recordDecisions(services.db, decisions)
    const message = 'This goes against the content guidelines. Change the text and try again.'
    throw new AppError('guideline_blocked', message, { fields: [{ path: 'content', message }] })
  }
  return { ...admitted, isHeld: true, decisions: [...admitted.decisions, ...decisions] }
}

function decisionOn(category: string, textHash: string, { actor, source }: TextSender): DecisionRecord {
  const isRefused = refused.includes(category)
  return {
    actor,
    source,
    ruleId: `moderation:${category}`,
    ruleVersion: 1,
    severity: isRefused ? 'blocking' : 'high',
    decision: isRefused ? 'refused' : 'held',
    places: [],
    textHash,
  }
}

/** The flagged categories that matter here, each once; none if no endpoint is configured or it fails. */
async function askOpinion(
  { env, log }: Pick<Services, 'env' | 'log'>,
  { title, content }: Pick<ModeratedText, 'title' | 'content'>,
): Promise<string[]> {
  if (!env.moderationModel) return []
  const pieces = piecesOf(`${title}\n\n${content}`)
  const address = `${env.openai.baseUrl ?? openaiUrlDefault}/moderations`
  try {
    const found = new Set<string>()
    for (let from = 0; from < pieces.length; from += piecesMax) {
      const response = await measuredCall(new URL(address).host, () =>
        fetch(address, {
          method: 'POST',
          redirect: 'error',
          signal: AbortSignal.timeout(opinionMs),
          headers: {
            'content-type': 'application/json',
            ...Object.fromEntries(traceHeaders()),
            ...(env.openai.apiKey && { authorization: `Bearer ${env.openai.apiKey}` }),
          },
          body: JSON.stringify({ model: env.moderationModel, input: pieces.slice(from, from + piecesMax) }),
        }),
      )
      if (!response.ok) throw new Error(`The moderation endpoint answered ${response.status}.`)
      const answer: unknown = await limited(response).json()
      if (!Value.Check(Answer, answer)) throw new Error('The moderation endpoint answered something else.')
      for (const { categories } of answer.results)
        for (const category of [...refused, ...held]) if (categories[category] === true) found.add(category)
    }
    return [...found]
  } catch (error) {
    log.warn('no second opinion', errorFields(error))
    return []
  }
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / pieceCharacters) }, (_, at) =>
    text.slice(at * pieceCharacters, (at + 1) * pieceCharacters),
  )
}
