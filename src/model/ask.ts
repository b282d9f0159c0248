import { askOpenAi } from './ask-openai'
import { askRunPod } from './ask-runpod'
import { asModelFailure, ModelFailure } from './model-failure'
import type { Provider } from './rules'

/** A model that can be asked: where, with which key, and how freely it answers. */
export type ModelAccess = {
  provider: Provider
  url: string
  apiKey: string
  model: string
  maxTokens: number
  temperature: number
  /** The server keeps to a schema; without, the schema stands in the prompt alone. */
  followsSchema: boolean
  /** Origins that may be private. */
  trustedOrigins: readonly string[]
}

export type Question = {
  system: string
  prompt: string
  /** JSON Schema of the answer that is wanted. */
  schema?: { name: string; schema: object }
  timeoutMs: number
  signal?: AbortSignal
}
export type ModelAnswer = { text: string; tokens: number | null }

/** Asks a model once; who asks decides about trying again. Throws a ModelFailure. */
export async function askModel(model: ModelAccess, question: Question): Promise<ModelAnswer> {
  try {
    const ask = speaksOpenAi(model) ? askOpenAi : askRunPod
    const answer = await ask(model, question)
    if (!answer.text.trim()) throw new ModelFailure('unreadable', 'The model answered without a word.')
    return answer
  } catch (error) {
    throw asModelFailure(error, model.apiKey)
  }
}

/** The same with a schema, read as JSON. The shape is for the caller to check. */
export async function askModelForJson(
  model: ModelAccess,
  question: Question & { schema: NonNullable<Question['schema']> },
): Promise<unknown> {
  const asked = {
    ...question,
    system: `${question.system}\n\nAnswer with one JSON document that fits this schema, and nothing else:\n${JSON.stringify(question.schema.schema)}`,
  }
  const { text } = await askModel(model, asked)
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch (error) {
    throw new ModelFailure('unreadable', 'The model did not answer with JSON.', { cause: error })
  }
}

/** RunPod's workers have an OpenAI route beside their own. */
function speaksOpenAi({ provider, url }: ModelAccess): boolean {
  return provider === 'openai' || /\/v1$/.test(url)
}
