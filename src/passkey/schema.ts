import * as t from 'typebox'
import { passkeyNameCharactersMax } from './rules'

/** Bytes in base64url, as in WebAuthn's JSON. The longest are attestations, of some kilobytes. */
const bytes = t.String({ minLength: 1, maxLength: 20_000, pattern: '^[A-Za-z0-9_-]+$', examples: ['AQID'] })
const id = t.String({ minLength: 1, maxLength: 1_400, pattern: '^[A-Za-z0-9_-]+$', examples: ['AQID'] })

/** The fields of RegistrationResponseJSON (WebAuthn 3, §5.1) that are used. */
const NewCredential = t.Object({
  id,
  rawId: id,
  type: t.Literal('public-key'),
  response: t.Object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: t.Optional(t.Array(t.String({ maxLength: 40, examples: ['internal'] }), { maxItems: 20 })),
  }),
})

/** The fields of AuthenticationResponseJSON that are used. */
export const Assertion = t.Object({
  id,
  rawId: id,
  type: t.Literal('public-key'),
  response: t.Object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: t.Optional(bytes),
  }),
})
export type Assertion = t.Static<typeof Assertion>

export const NewPasskey = t.Object({
  name: t.Optional(t.String({ maxLength: passkeyNameCharactersMax, examples: ['My phone'] })),
  credential: NewCredential,
})
export type NewPasskey = t.Static<typeof NewPasskey>

/** The options of the browser's WebAuthn call to sign in. The library creates them; they are passed on unchanged. */
export const AssertionOptions = t.Object(
  { challenge: t.String({ examples: ['AQID'] }) },
  { additionalProperties: true, description: 'PublicKeyCredentialRequestOptionsJSON of WebAuthn 3' },
)

/** The options of the browser's WebAuthn call to create a passkey. */
export const NewCredentialOptions = t.Object(
  {
    challenge: t.String({ examples: ['AQID'] }),
    rp: t.Object({ name: t.String(), id: t.Optional(t.String()) }),
    user: t.Object({ id: t.String(), name: t.String(), displayName: t.String() }),
    pubKeyCredParams: t.Array(t.Object({ alg: t.Integer(), type: t.Literal('public-key') })),
  },
  { additionalProperties: true, description: 'PublicKeyCredentialCreationOptionsJSON of WebAuthn 3' },
)
