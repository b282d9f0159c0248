import { Badge } from '#src/ui/badge'
import { keyWords } from './rules'
import type { ModelConfig } from './schema'

const sources: Record<ModelConfig['source'], string> = {
  console: 'this page',
  environment: 'the environment',
  none: 'nowhere yet',
}

/** Card with the model in use and the saved keys. Browser-safe. */
export function StatusCard({ configuration }: { configuration: ModelConfig }) {
  const { inUse, isActive, source } = configuration
  return (
    <section className="panel stack" aria-labelledby="model-status">
      <div className="panel-head">
        <h2 id="model-status">Current status</h2>
        {isActive ? (
          <Badge kind="good">
            <i className="live-dot" />
            Active
          </Badge>
        ) : (
          <Badge kind="line">Not set up</Badge>
        )}
      </div>
      <dl className="facts">
        <dt>Provider</dt>
        <dd>{inUse?.provider ?? 'none'}</dd>
        <dt>Model</dt>
        <dd className="mono">{inUse?.model ?? 'the built-in enhancer'}</dd>
        {inUse && (
          <>
            <dt>Server</dt>
            <dd className="mono">{inUse.host}</dd>
          </>
        )}
        <dt>RunPod key</dt>
        <dd>{keyWords({ hasKey: configuration.hasRunpodApiKey, keyEnd: configuration.runpodApiKeyEnd })}</dd>
        <dt>OpenAI key</dt>
        <dd>{keyWords({ hasKey: configuration.hasOpenaiApiKey, keyEnd: configuration.openaiApiKeyEnd })}</dd>
        <dt>Set up in</dt>
        <dd>{sources[source]}</dd>
      </dl>
      {!isActive && (
        <p className="meta">
          Without a model, the built-in enhancer marks up scripts, and drafting says that it is not set up.
        </p>
      )}
    </section>
  )
}
