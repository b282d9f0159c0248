import type { modelConfig } from '#db/schema'
import type { Services } from '#src/services'
import type { ModelAccess } from './question'
import { maxTokens, openaiModelDefault, openaiUrlDefault, temperature } from './rules'

/** The fields of the form, without the keys. */
export type ModelSettings = Pick<
  typeof modelConfig.$inferSelect,
  | 'provider'
  | 'runpodApiUrl'
  | 'runpodModelName'
  | 'runpodMaxTokens'
  | 'runpodTemperature'
  | 'runpodUseJson'
  | 'openaiApiUrl'
  | 'openaiModelName'
>
export type ModelKeys = { runpodApiKey: string | null; openaiApiKey: string | null }

/** The model of these settings and keys; the environment replaces missing ones. Null if there is none. */
export function accessOf(settings: ModelSettings, keys: ModelKeys, env: Services['env']): ModelAccess | null {
  const common = {
    provider: settings.provider,
    maxTokens: settings.runpodMaxTokens,
    temperature: Number(settings.runpodTemperature),
    trustedOrigins: env.allowPrivateModelUrls,
  }
  if (settings.provider === 'runpod') {
    if (!settings.runpodApiUrl) return null
    return {
      ...common,
      url: settings.runpodApiUrl,
      apiKey: keys.runpodApiKey ?? '',
      model: settings.runpodModelName ?? 'default',
      followsSchema: settings.runpodUseJson,
    }
  }
  const model = settings.openaiModelName ?? env.openai.model ?? openaiModelDefault
  // The environment's key is sent only to the environment's address.
  if (settings.openaiApiUrl)
    return {
      ...common,
      url: settings.openaiApiUrl,
      apiKey: keys.openaiApiKey ?? '',
      model,
      followsSchema: true,
    }
  const fallback = environmentAccess(env)
  if (keys.openaiApiKey === null)
    return fallback && { ...fallback, ...common, model, trustedOrigins: fallback.trustedOrigins }
  return {
    ...common,
    url: fallback?.url ?? openaiUrlDefault,
    apiKey: keys.openaiApiKey,
    model,
    followsSchema: true,
    trustedOrigins: fallback?.trustedOrigins ?? common.trustedOrigins,
  }
}

/** The model of the environment. Its address may be private, since the operator has set it. */
export function environmentAccess(env: Services['env']): ModelAccess | null {
  const { apiKey, baseUrl, model } = env.openai
  if (!apiKey && !baseUrl) return null
  return {
    provider: 'openai',
    url: baseUrl ?? openaiUrlDefault,
    apiKey: apiKey ?? '',
    model: model ?? openaiModelDefault,
    maxTokens: maxTokens.default,
    temperature: Number(temperature.default),
    followsSchema: true,
    trustedOrigins: [...env.allowPrivateModelUrls, ...(baseUrl ? [new URL(baseUrl).origin] : [])],
  }
}
