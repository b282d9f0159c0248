/** 32 hexadecimal digits. `crypto.randomUUID` is missing on plain http, where many run this at home. */
export function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
