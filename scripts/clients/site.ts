/** The input of an integrator's program: the address, the fetch function, the token, a recording. */
export type Site = {
  baseUrl: string
  fetch: (request: Request) => Promise<Response>
  token: string
  since: string
  mp3: File
}
