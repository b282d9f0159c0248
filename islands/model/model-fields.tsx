import {
  addressCharactersMax,
  keyCharactersMax,
  keyWords,
  maxTokens,
  modelNameCharactersMax,
  openaiModelDefault,
  openaiUrlDefault,
  type Provider,
  providers,
  temperature,
} from '#src/model/rules'
import type { ModelConfig } from '#src/model/schema'
import { Field } from '#src/ui/field'
import { SwitchRow } from '#src/ui/switch-row'

const about: Record<Provider, string> = {
  openai: 'Their servers, or any compatible ones',
  runpod: 'A model of your own',
}

/** The fields of the configuration. Those of the other provider are hidden and retain their values. */
export function ModelFields({
  configuration,
  provider,
  onProvider,
}: {
  configuration: ModelConfig
  provider: Provider
  onProvider: (provider: Provider) => void
}) {
  return (
    <>
      <fieldset className="stack-sm">
        <legend className="label">Provider</legend>
        <div className="picks picks-wide">
          {providers.map((each) => (
            <div className="pick" key={each}>
              <input
                type="radio"
                name="provider"
                id={`provider-${each}`}
                value={each}
                checked={each === provider}
                onChange={() => onProvider(each)}
              />
              <label htmlFor={`provider-${each}`}>
                <b>{each}</b>
                <span className="meta">{about[each]}</span>
              </label>
            </div>
          ))}
        </div>
      </fieldset>
      <div className="stack" hidden={provider !== 'openai'}>
        <Connection
          of="OpenAI"
          prefix="openai"
          url={configuration.openaiApiUrl}
          urlPlaceholder={openaiUrlDefault}
          model={configuration.openaiModelName}
          modelPlaceholder={openaiModelDefault}
          hasKey={configuration.hasOpenaiApiKey}
          keyEnd={configuration.openaiApiKeyEnd}
        />
      </div>
      <div className="stack" hidden={provider !== 'runpod'}>
        <Connection
          of="RunPod"
          prefix="runpod"
          url={configuration.runpodApiUrl}
          urlPlaceholder="https://models.example.com/v1"
          model={configuration.runpodModelName}
          hasKey={configuration.hasRunpodApiKey}
          keyEnd={configuration.runpodApiKeyEnd}
        />
      </div>
      <div className="field-row">
        <Field
          label="Max tokens"
          name="runpodMaxTokens"
          type="number"
          min={maxTokens.min}
          max={maxTokens.max}
          defaultValue={configuration.runpodMaxTokens}
          hint={`${maxTokens.min} to ${maxTokens.max}`}
        />
        <Field
          label="Temperature"
          name="runpodTemperature"
          type="number"
          min={temperature.min}
          max={temperature.max}
          step={temperature.step}
          defaultValue={configuration.runpodTemperature}
          hint={`${temperature.min} to ${temperature.max}. Higher is freer.`}
        />
      </div>
      <SwitchRow
        title="Ask for JSON"
        words="Only if the model follows a schema."
        name="runpodUseJson"
        defaultChecked={configuration.runpodUseJson}
      />
    </>
  )
}

function Connection({
  of,
  prefix,
  url,
  urlPlaceholder,
  model,
  modelPlaceholder,
  hasKey,
  keyEnd,
}: {
  of: string
  prefix: Provider
  url: string | null
  urlPlaceholder: string
  model: string | null
  modelPlaceholder?: string
  hasKey: boolean
  keyEnd: string | null
}) {
  return (
    <>
      <Field
        label={`${of} API URL`}
        name={`${prefix}ApiUrl`}
        type="url"
        maxLength={addressCharactersMax}
        placeholder={urlPlaceholder}
        defaultValue={url ?? ''}
      />
      <Field
        label={`${of} API key`}
        name={`${prefix}ApiKey`}
        type="password"
        autoComplete="off"
        maxLength={keyCharactersMax}
        placeholder={keyWords({ hasKey, keyEnd })}
        hint="Leave it empty to keep the saved one. Encrypted, and never sent back."
      />
      <Field
        label="Model name"
        name={`${prefix}ModelName`}
        maxLength={modelNameCharactersMax}
        placeholder={modelPlaceholder}
        defaultValue={model ?? ''}
      />
    </>
  )
}
