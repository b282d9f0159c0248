import type { Env } from '#src/env'
import { type Provider, providers } from './rules'

/** The providers that the operator has configured. */
export function listProviders(env: Pick<Env, 'social'>): Provider[] {
  return providers.filter((provider) => env.social[provider] !== undefined)
}
