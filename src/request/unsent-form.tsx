import * as t from 'typebox'
import { readBytes, statedLength } from '#src/http/read-body'
import { safePath } from '#src/http/safe-path'
import { AuthPage } from '#src/ui/auth-page'
import { Button } from '#src/ui/button'
import type { RequestContext } from './context'
import { renderPage } from './render'

/**
 * Maximum size of a carried form, since a public route takes it. After a longer one, the sign-in leads back to the page
 * without it.
 */
const unsentBytesMax = 256 * 1024

/**
 * A form that is carried through a sign-in: its address, with the fields as sent. Example:
 * `/settings/profile?firstName=Mara`
 */
export const Unsent = t.Optional(t.String({ maxLength: 2 * unsentBytesMax }))

/** Passwords, PINs and tokens are not carried, as they would be in the markup of the page. They are typed again. */
const secretName = /password|token|pin$/i

/**
 * The form of a request that was refused because the session has ended; undefined for other requests, and for a form
 * that is too long to carry.
 */
export async function readUnsent({ request, body }: RequestContext): Promise<string | undefined> {
  const isForm = request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')
  const statedBytes = statedLength(request) ?? 0
  if (request.method !== 'POST' || !isForm || statedBytes > unsentBytesMax) return undefined
  const sent = body === undefined ? await readParams(request) : paramsOf(body)
  const typed = [...sent].filter(([name, value]) => !secretName.test(name) && value !== '')
  if (typed.length === 0) return undefined
  return `${new URL(request.url).pathname}?${new URLSearchParams(typed)}`
}

/** Hidden input that carries a form through the form of a sign-in. */
export function UnsentInput({ unsent }: { unsent: string | undefined }) {
  return unsent === undefined ? null : <input type="hidden" name="unsent" value={unsent} />
}

/**
 * The page after a sign-in or a PIN that carried a form, with a button that sends the form. Null if none was carried,
 * or its address is not of this site.
 */
export async function unsentPage(
  context: RequestContext,
  unsent: string | undefined,
  next: string,
): Promise<Response | null> {
  const [action = '', ...rest] = (unsent ?? '').split('?')
  const fields = new URLSearchParams(rest.join('?'))
  if (action === '' || safePath(action) !== action) return null
  const { siteName } = await context.viewer()
  const words = 'What you typed is still here. Send it to carry on where you were.'
  return renderPage(context, {
    frame: 'bare',
    meta: { title: 'You are back', isIndexed: false },
    body: (
      <AuthPage siteName={siteName} title="You are back" words={words}>
        <form className="stack" action={action} method="post">
          {[...fields].map(([name, value]) => (
            <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
          ))}
          <Button kind="primary" size="lg" isBlock type="submit">
            Send it now
          </Button>
        </form>
        <p className="meta">
          <a className="link" href={next}>
            Go back without sending it
          </a>
        </p>
      </AuthPage>
    ),
  })
}

async function readParams(request: Request): Promise<URLSearchParams> {
  const bytes = await readBytes(request, unsentBytesMax).catch(() => new Uint8Array())
  return new URLSearchParams(new TextDecoder().decode(bytes))
}

/** Turns a parsed body back into form fields. */
function paramsOf(body: unknown): URLSearchParams {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return new URLSearchParams(
    fields.flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, String(each)])),
  )
}
