import ModelSettings from '#islands/model/model-settings'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { Island } from '#src/ui/island'
import { readConfiguration } from './configuration'

/** The page /model-config: the model that drafts and marks up. */
export function modelConsole(services: Services) {
  return router().get(
    '/model-config',
    async ({ context }) =>
      consolePage(context, { title: 'Model Configuration', room: 'Model' }, async () => (
        <>
          <Island
            name="model-settings"
            of={ModelSettings}
            props={{ configuration: await readConfiguration(services) }}
          />
          <SetupGuide />
        </>
      )),
    { detail: { hide: true } },
  )
}

function SetupGuide() {
  return (
    <section className="section section-next panel" aria-labelledby="guide">
      <div className="panel-head">
        <h2 id="guide">Setup guide</h2>
      </div>
      <ol className="guide">
        <li>
          <div>
            <b>Start an endpoint</b>
            <p>
              Any server with an OpenAI-compatible address that ends in <span className="mono">/v1</span>. On
              a private network, set <span className="mono">ALLOW_PRIVATE_MODEL_URLS</span> first.
            </p>
          </div>
        </li>
        <li>
          <div>
            <b>Enter the address, the key and the model’s name</b>
            <p>
              The name is the one that the server lists at <span className="mono">/v1/models</span>.
            </p>
          </div>
        </li>
        <li>
          <div>
            <b>Test, then save</b>
            <p>
              Or in the terminal: <span className="mono">nocturne model test</span>.
            </p>
          </div>
        </li>
      </ol>
    </section>
  )
}
