import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ModelFields } from '#islands/model/model-fields'
import { ApiError, problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import type { Provider } from '#src/model/rules'
import type { ModelConfig, ModelDraft } from '#src/model/schema'
import { StatusCard } from '#src/model/status-card'
import { TestCard, type TestState } from '#src/model/test-card'
import { Button } from '#src/ui/button'
import { FormFields } from '#src/ui/form-fields'
import { Icon } from '#src/ui/icon'

/** The model's form with its status and its test. Typed text stays when the server refuses it. */
export default function ModelSettings(props: { configuration: ModelConfig }) {
  const form = useRef<HTMLFormElement>(null)
  const [configuration, setConfiguration] = useState(props.configuration)
  const [provider, setProvider] = useState<Provider>(configuration.provider)
  const { isBusy, problem, submit } = useSubmit({
    title: 'Failed to save configuration',
    otherwise: 'Please try again',
  })
  const { test, run, stop } = useModelTest()

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    void submit(async () => {
      const body = draftOf(new FormData(fields), provider)
      setConfiguration(
        await operatorApi('POST /api/model-config', { body, ifMatch: configuration.updatedAt }),
      )
      for (const key of fields.querySelectorAll<HTMLInputElement>('input[type=password]')) key.value = ''
      emit('nocturne:toast', { title: 'Configuration saved', description: 'In use from the next job' })
    })
  }

  return (
    <div className="split split-main">
      <form className="panel stack" aria-label="Model settings" ref={form} noValidate onSubmit={save}>
        <FormFields problem={problem}>
          <ModelFields configuration={configuration} provider={provider} onProvider={setProvider} />
        </FormFields>
        <div className="btn-row">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {isBusy ? 'Saving...' : 'Save configuration'}
          </Button>
          <Button
            isBusy={test.name === 'testing'}
            onClick={() => form.current && void run(draftOf(new FormData(form.current), provider))}
          >
            <Icon name="i-lucide-sm-zap" />
            Test connection
          </Button>
          <span className="meta">The test uses the values shown here, unsaved.</span>
        </div>
      </form>
      <div className="stack">
        <StatusCard configuration={configuration} />
        <TestCard test={test} onStop={stop} />
      </div>
    </div>
  )
}

function useModelTest() {
  const [test, setTest] = useState<TestState>({ name: 'idle' })
  const running = useRef<AbortController | null>(null)
  const isTesting = test.name === 'testing'
  useEffect(() => {
    if (!isTesting) return
    const startedAt = performance.now()
    const timer = setInterval(
      () => setTest({ name: 'testing', seconds: Math.floor((performance.now() - startedAt) / 1_000) }),
      1_000,
    )
    return () => clearInterval(timer)
  }, [isTesting])
  useEffect(() => () => running.current?.abort(), [])

  const run = async (body: ModelDraft) => {
    const own = new AbortController()
    running.current = own
    setTest({ name: 'testing', seconds: 0 })
    try {
      const tested = await operatorApi('POST /api/model-config/test', { body, signal: own.signal })
      setTest({ name: 'success', ...tested })
      emit('nocturne:toast', {
        title: 'Connection test successful',
        description: `Model responded in ${tested.responseTimeMs} ms`,
      })
    } catch (error) {
      if (own.signal.aborted) return setTest({ name: 'idle' })
      const { message } = problemOf(error, 'Please check your configuration')
      setTest({ name: 'failure', message, ...detailsOf(error) })
      emit('nocturne:toast', { kind: 'bad', title: 'Connection test failed', description: message })
    }
  }
  return { test, run, stop: () => running.current?.abort() }
}

function detailsOf(error: unknown): { serverSaid: string | null; responseTimeMs: number | null } {
  const { serverSaid, responseTimeMs } = error instanceof ApiError ? error.answer : {}
  return {
    serverSaid: typeof serverSaid === 'string' ? serverSaid : null,
    responseTimeMs: typeof responseTimeMs === 'number' ? responseTimeMs : null,
  }
}

/** Reads the fields of the chosen provider. Omitted fields stay as they are saved. */
function draftOf(form: FormData, provider: Provider): ModelDraft {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return {
    provider,
    runpodMaxTokens: Number(text('runpodMaxTokens')),
    runpodTemperature: text('runpodTemperature'),
    runpodUseJson: form.has('runpodUseJson'),
    ...(provider === 'runpod'
      ? {
          runpodApiUrl: text('runpodApiUrl'),
          runpodApiKey: text('runpodApiKey'),
          runpodModelName: text('runpodModelName'),
        }
      : {
          openaiApiUrl: text('openaiApiUrl'),
          openaiApiKey: text('openaiApiKey'),
          openaiModelName: text('openaiModelName'),
        }),
  }
}
