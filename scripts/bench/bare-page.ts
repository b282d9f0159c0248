/** The ceiling for a visitor's page: the same bytes from memory, with the headers that state their encoding. */
const bytes = await Bun.file(process.env.BODY ?? '').bytes()
const headers = {
  'content-type': 'text/html; charset=utf-8',
  ...(process.env.ENCODING && { 'content-encoding': process.env.ENCODING }),
}
Bun.serve({ port: Number(process.env.PORT), fetch: () => new Response(bytes, { headers }) })

export {}
