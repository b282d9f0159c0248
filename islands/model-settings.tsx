import { Zap } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#islands/api-call'
import { emit } from '#islands/events'
import { ModelFields } from '#islands/model-fields'
import { failureWords, operatorCall } from '#islands/operator-call'
import type { Provider } from '#src/model/rules'
import type { ModelConfig, ModelDraft } from '#src/model/schema'
import { StatusCard } from '#src/model/status-card'
import { TestCard, type TestState } from '#src/model/test-card'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'

/** The model's form with its status and its test. What was typed stays when the server refuses. */
export default function ModelSettings(props: { configuration: ModelConfig }) {
  const form = useRef<HTMLFormElement>(null)
  const [configuration, setConfiguration] = useState(props.configuration)
  const [provider, setProvider] = useState<Provider>(configuration.provider)
  const [problem, setProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const { test, run, stop } = useModelTest()

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = event.currentTarget
    setBusy(true)
    setProblem(undefined)
    try {
      const saved = await operatorCall(urls.apiModelConfig(), {
        method: 'POST',
        body: draftOf(new FormData(fields), provider),
      })
      setConfiguration(saved as ModelConfig)
      for (const key of fields.querySelectorAll<HTMLInputElement>('input[type=password]')) key.value = ''
      emit('nocturne:toast', { title: 'Configuration saved', description: 'In use from the next job' })
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      setProblem(description)
      emit('nocturne:toast', { kind: 'bad', title: 'Failed to save configuration', description })
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="split split-main">
      <form className="panel stack" aria-label="Model settings" ref={form} noValidate onSubmit={save}>
        <ModelFields configuration={configuration} provider={provider} onProvider={setProvider} />
        {problem && <Notice kind="bad">{problem}</Notice>}
        <div className="btn-row">
          <Button kind="primary" type="submit" disabled={isBusy}>
            {isBusy ? 'Saving...' : 'Save configuration'}
          </Button>
          <Button
            disabled={test.name === 'testing'}
            onClick={() => form.current && void run(draftOf(new FormData(form.current), provider))}
          >
            <Icon of={Zap} size="sm" />
            Test connection
          </Button>
          <span className="meta">The test uses what stands here, unsaved.</span>
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

  const run = async (draft: ModelDraft) => {
    const own = new AbortController()
    running.current = own
    setTest({ name: 'testing', seconds: 0 })
    try {
      const answer = await operatorCall(urls.apiModelTest(), {
        method: 'POST',
        body: draft,
        signal: own.signal,
      })
      const tested = answer as { sampleOutput: string; responseTimeMs: number; tokens: number | null }
      setTest({ name: 'success', ...tested })
      emit('nocturne:toast', {
        title: 'Connection test successful',
        description: `Model responded in ${tested.responseTimeMs} ms`,
      })
    } catch (error) {
      if (own.signal.aborted) return setTest({ name: 'idle' })
      const message = failureWords(error, 'Please check your configuration')
      setTest({ name: 'failure', message, ...detailsOf(error) })
      emit('nocturne:toast', { kind: 'bad', title: 'Connection test failed', description: message })
    }
  }
  return { test, run, stop: () => running.current?.abort() }
}

function detailsOf(error: unknown): { serverSaid: string | null; responseTimeMs: number | null } {
  const answer = error instanceof ApiError && typeof error.answer === 'object' ? (error.answer ?? {}) : {}
  return {
    serverSaid: 'serverSaid' in answer && typeof answer.serverSaid === 'string' ? answer.serverSaid : null,
    responseTimeMs:
      'responseTimeMs' in answer && typeof answer.responseTimeMs === 'number' ? answer.responseTimeMs : null,
  }
}

/** The fields of the chosen provider: what is left out stays as it is saved. */
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
