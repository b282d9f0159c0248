import { askOpenAi } from './ask-openai'
import { askRunPod } from './ask-runpod'
import { asModelFailure, ModelFailure } from './model-failure'
import type { ModelAccess, ModelAnswer, Question } from './question'

/** Sends a question to a model once; the caller decides about retries. Throws a ModelFailure. */
export async function askModel(model: ModelAccess, question: Question): Promise<ModelAnswer> {
  try {
    const send = speaksOpenAi(model) ? askOpenAi : askRunPod
    const answer = await send(model, question)
    if (!answer.text.trim()) throw new ModelFailure('unreadable', 'The model sent an empty answer.')
    return answer
  } catch (error) {
    throw asModelFailure(error, model.apiKey)
  }
}

/** Sends a question with a schema and parses the answer as JSON. The caller validates its shape. */
export async function askModelForJson(
  model: ModelAccess,
  question: Question & { schema: NonNullable<Question['schema']> },
): Promise<unknown> {
  const request = {
    ...question,
    system: `${question.system}\n\nAnswer with one JSON document that fits this schema, and nothing else:\n${JSON.stringify(question.schema.schema)}`,
  }
  const { text } = await askModel(model, request)
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch (error) {
    throw new ModelFailure('unreadable', 'The model did not answer with JSON.', { cause: error })
  }
}

/** Whether the server speaks OpenAI's API. RunPod's workers have such a route beside their own. */
function speaksOpenAi({ provider, url }: ModelAccess): boolean {
  return provider === 'openai' || /\/v1$/.test(url)
}
