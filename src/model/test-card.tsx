import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { testSecondsMax } from './rules'

export type TestState =
  | { name: 'idle' }
  | { name: 'testing'; seconds: number }
  | { name: 'success'; sampleOutput: string; responseTimeMs: number; tokens: number | null }
  | { name: 'failure'; message: string; serverSaid: string | null; responseTimeMs: number | null }

/** Card with the test of a model: idle, testing, then success or failure. Browser-safe. */
export function TestCard({ test, onStop }: { test: TestState; onStop: () => void }) {
  return (
    <section className="panel stack" aria-labelledby="model-test">
      <div className="panel-head">
        <h2 id="model-test">Test results</h2>
        {test.name === 'testing' && (
          <Button kind="ghost" size="sm" onClick={onStop}>
            Stop
          </Button>
        )}
        {test.name === 'success' && <Badge kind="good">{milliseconds(test.responseTimeMs)}</Badge>}
        {test.name === 'failure' && (
          <Badge kind="bad">
            {test.responseTimeMs === null ? 'Failed' : `Failed after ${milliseconds(test.responseTimeMs)}`}
          </Badge>
        )}
      </div>
      {test.name === 'idle' && (
        <p className="meta">No test yet. It asks for one sentence with the values in the form, unsaved.</p>
      )}
      {test.name === 'testing' && (
        <>
          <p role="status">Asking the model for one sentence</p>
          <progress
            className="meter"
            value={Math.min(test.seconds, testSecondsMax)}
            max={testSecondsMax}
            aria-label="Seconds of the test"
          />
          <p className="meta num">
            {test.seconds} of {testSecondsMax} seconds at most
          </p>
        </>
      )}
      {test.name === 'success' && (
        <>
          <p className="output">{test.sampleOutput}</p>
          <p className="meta" role="status">
            Connection test successful. Model responded in {test.responseTimeMs} ms.
            {test.tokens !== null && ` ${test.tokens.toLocaleString('en')} tokens.`}
          </p>
        </>
      )}
      {test.name === 'failure' && (
        <>
          <Notice kind="bad">{test.message}</Notice>
          {test.serverSaid && (
            <details className="notes">
              <summary className="meta">
                What the server said
                <Icon name="i-lucide-sm-chevron-down" />
              </summary>
              <p className="mono output">{test.serverSaid}</p>
            </details>
          )}
        </>
      )}
    </section>
  )
}

function milliseconds(count: number): string {
  return `${count.toLocaleString('en')} ms`
}
