import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, printNote } from '#cli/output'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { AppError } from '#src/app-error'
import { findModel, readConfiguration, saveConfiguration } from '#src/model/configuration'
import { keyWords, maxTokens, type Provider, providers, temperature } from '#src/model/rules'
import type { ModelConfig, ModelDraft } from '#src/model/schema'
import { testModel } from '#src/model/test-model'

const show = defineCommand({
  meta: {
    name: 'show',
    description: 'Shows the model configuration, without keys. Example: nocturne model show',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async (services) => {
      const configuration = await readConfiguration(services)
      print(args, configuration, () => linesOf(configuration))
    }),
})

function linesOf(configuration: ModelConfig): string[] {
  const { inUse, source } = configuration
  return [
    inUse
      ? `${inUse.provider}: ${inUse.model} at ${inUse.host} (${source})`
      : 'No model: the built-in enhancer is used.',
    `RunPod: ${configuration.runpodApiUrl ?? 'no address'}, key ${keyWords({ hasKey: configuration.hasRunpodApiKey, keyEnd: configuration.runpodApiKeyEnd })}`,
    `OpenAI: ${configuration.openaiApiUrl ?? 'their own address'}, key ${keyWords({ hasKey: configuration.hasOpenaiApiKey, keyEnd: configuration.openaiApiKeyEnd })}`,
    `Max tokens ${configuration.runpodMaxTokens}, temperature ${configuration.runpodTemperature}`,
  ]
}

const set = defineCommand({
  meta: {
    name: 'set',
    description:
      'Saves the model configuration; what you leave out stays. The key is read from standard input with --key-stdin, so that it is in no history. Example: nocturne model set openai --model gpt-4.1-mini --key-stdin < key.txt',
  },
  args: {
    provider: { type: 'positional', ...choiceOf(providers), required: true },
    url: { type: 'string', description: "The server's address" },
    model: { type: 'string', description: "The model's name" },
    'key-stdin': { type: 'boolean', description: 'Read the key from standard input', default: false },
    'max-tokens': { type: 'string', description: `${maxTokens.min} to ${maxTokens.max}` },
    temperature: { type: 'string', description: `${temperature.min} to ${temperature.max}` },
    'use-json': { type: 'boolean', description: 'RunPod: have the model follow a JSON schema' },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const provider = choose('provider', providers, args.provider)
    const key = args['key-stdin'] ? (await Bun.stdin.text()).trim() : undefined
    const draft: ModelDraft = {
      ...ownFields(provider, { url: args.url, model: args.model, key }),
      ...(args['max-tokens'] !== undefined && {
        runpodMaxTokens: numberOf('--max-tokens', args['max-tokens'], maxTokens),
      }),
      ...(args.temperature !== undefined && {
        runpodTemperature: numberOf('--temperature', args.temperature, temperature),
      }),
      ...(args['use-json'] !== undefined && { runpodUseJson: args['use-json'] }),
    }
    await withServices(async (services) => {
      await saveConfiguration(services, draft, operatorName())
      const configuration = await readConfiguration(services)
      print(args, configuration, () => linesOf(configuration))
      printNote('Configuration saved')
    })
  },
})

function ownFields(
  provider: Provider,
  { url, model, key }: { url?: string; model?: string; key?: string },
): ModelDraft {
  return provider === 'runpod'
    ? { provider, runpodApiUrl: url, runpodModelName: model, runpodApiKey: key }
    : { provider, openaiApiUrl: url, openaiModelName: model, openaiApiKey: key }
}

function numberOf(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const number = Number(text)
  if (text.trim() === '' || !(number >= min && number <= max))
    throw new UsageError(`${name} is ${JSON.stringify(text)}: it takes a number from ${min} to ${max}.`)
  return name === '--max-tokens' ? Math.round(number) : number
}

const test = defineCommand({
  meta: {
    name: 'test',
    description: 'Asks the configured model for one sentence. Example: nocturne model test',
  },
  args: jsonFlag,
  run: ({ args }) =>
    withServices(async (services) => {
      const model = await findModel(services)
      if (!model)
        throw new AppError('not_configured', 'No model is configured. See nocturne model set --help.')
      const tested = await testModel(model)
      if (tested.success) {
        print(args, tested, () => [tested.sampleOutput])
        printNote(`Connection test successful. Model responded in ${tested.responseTimeMs} ms`)
        return
      }
      const { message, serverSaid } = tested.failure
      print(
        args,
        { success: false, error: message, serverSaid, responseTimeMs: tested.responseTimeMs },
        () => [],
      )
      printNote(`Connection test failed. ${message}`)
      if (serverSaid) printNote(serverSaid)
      process.exitCode = 1
    }),
})

export default defineCommand({
  meta: { name: 'model', description: 'The model that drafts and marks up: show, set, test' },
  subCommands: { show, set, test },
})
