import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Overrides = { origin?: string; rpId?: string; flags?: number; counter?: number; challenge?: string }
/** Flags of authenticator data: user present and verified; `withCredential` adds a new credential. */
const verified = 0x05
const withCredential = 0x45

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** A device with one passkey that implements WebAuthn 3. */
export function testAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  let uses = 0

  const clientData = (type: string, challenge: string, { origin = 'http://localhost:3000' }: Overrides) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const head = ({ rpId = 'localhost', flags, counter }: Overrides, usual: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? uses)
    return Buffer.concat([sha(rpId), Buffer.from([flags ?? usual]), count])
  }
  const named = { id: base64(credentialId), rawId: base64(credentialId), type: 'public-key' }

  return {
    id: named.id,
    /** Returns RegistrationResponseJSON. */
    register(challenge: string, wrong: Overrides = {}) {
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([
        head(wrong, withCredential),
        Buffer.alloc(16),
        length,
        credentialId,
        isoCBOR.encode(key),
      ])
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return {
        ...named,
        response: {
          clientDataJSON: base64(clientData('webauthn.create', wrong.challenge ?? challenge, wrong)),
          attestationObject: base64(isoCBOR.encode(attestation)),
          transports: ['internal', 'of a later standard'],
        },
        clientExtensionResults: {},
      }
    },
    /** Returns AuthenticationResponseJSON; each use increments the counter. */
    answer(challenge: string, wrong: Overrides = {}) {
      uses += 1
      const client = clientData('webauthn.get', wrong.challenge ?? challenge, wrong)
      const authData = head(wrong, verified)
      return {
        ...named,
        response: {
          clientDataJSON: base64(client),
          authenticatorData: base64(authData),
          signature: base64(sign('sha256', Buffer.concat([authData, sha(client)]), privateKey)),
        },
        clientExtensionResults: {},
      }
    },
  }
}
