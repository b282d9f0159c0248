/** What an integrator's program is given: the address, how it is reached, the token, a recording. */
export type Site = {
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  token: string
  since: string
  mp3: File
}
