import type { Provider } from './rules'

/** A configured model: its address, key, and temperature. */
export type ModelAccess = {
  provider: Provider
  url: string
  apiKey: string
  model: string
  maxTokens: number
  temperature: number
  /** Whether the server supports schemas; otherwise the schema is only in the prompt. */
  followsSchema: boolean
  /** Origins that may be private. */
  trustedOrigins: readonly string[]
}

export type Question = {
  system: string
  prompt: string
  /** JSON Schema of the expected answer. */
  schema?: { name: string; schema: object }
  timeoutMs: number
  signal?: AbortSignal
}

export type ModelAnswer = { text: string; tokens: number | null }
