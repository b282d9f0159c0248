import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import {
  addressCharactersMax,
  keyCharactersMax,
  maxTokens,
  modelNameCharactersMax,
  providers,
  temperature,
} from './rules'

const address = (example: string) => t.String({ maxLength: addressCharactersMax, examples: [example] })
const key = t.String({
  maxLength: keyCharactersMax,
  description: 'Empty keeps the saved one. Never sent back.',
  examples: [''],
})
const modelName = t.String({ maxLength: modelNameCharactersMax, examples: ['mistral-small-3.2'] })

/** The form of the configuration. An empty text clears a field; an omitted field stays. */
export const ModelDraft = t.Object({
  provider: oneOf(providers),
  runpodApiUrl: t.Optional(orNull(address('https://models.example.com/v2/abc123/openai/v1'))),
  runpodApiKey: t.Optional(orNull(key)),
  runpodModelName: t.Optional(orNull(modelName)),
  runpodMaxTokens: t.Optional(
    t.Integer({
      minimum: maxTokens.min,
      maximum: maxTokens.max,
      error: `Expected a whole number from ${maxTokens.min} to ${maxTokens.max}`,
      examples: [maxTokens.default],
    }),
  ),
  runpodTemperature: t.Optional(
    t.Union(
      [
        t.Number({ minimum: temperature.min, maximum: temperature.max }),
        t.String({ pattern: '^\\s*(?:[01](?:\\.\\d{1,3})?|2(?:\\.0{1,3})?)\\s*$' }),
      ],
      {
        error: `Expected a number from ${temperature.min} to ${temperature.max}`,
        examples: [temperature.default],
      },
    ),
  ),
  runpodUseJson: t.Optional(t.Boolean()),
  openaiApiUrl: t.Optional(orNull(address('https://models.example.com/v1'))),
  openaiModelName: t.Optional(orNull(modelName)),
  openaiApiKey: t.Optional(orNull(key)),
})
export type ModelDraft = t.Static<typeof ModelDraft>

const keyEnd = orNull(t.String({ description: 'The last characters of the saved key.', examples: ['9f3c'] }))

/** The configuration without its keys. */
export const ModelConfig = t.Object({
  provider: oneOf(providers),
  runpodApiUrl: orNull(t.String()),
  runpodModelName: orNull(t.String()),
  runpodMaxTokens: t.Integer(),
  runpodTemperature: t.String(),
  runpodUseJson: t.Boolean(),
  hasRunpodApiKey: t.Boolean(),
  runpodApiKeyEnd: keyEnd,
  openaiApiUrl: orNull(t.String()),
  openaiModelName: orNull(t.String()),
  hasOpenaiApiKey: t.Boolean(),
  openaiApiKeyEnd: keyEnd,
  isActive: t.Boolean(),
  source: oneOf(['console', 'environment', 'none'] as const, {
    description: 'Where the model in use comes from; none: there is none, and the built-in enhancer is used.',
  }),
  inUse: orNull(t.Object({ provider: oneOf(providers), model: t.String(), host: t.String() })),
  updatedAt: orNull(t.String()),
})
export type ModelConfig = t.Static<typeof ModelConfig>

export const ModelTested = t.Object({
  success: t.Boolean(),
  sampleOutput: t.String({ examples: ['The lamp in the hall was on.'] }),
  responseTimeMs: t.Integer({ examples: [1284] }),
  tokens: orNull(t.Integer()),
})
