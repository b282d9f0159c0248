import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'serve', description: 'Serves the library. Example: PORT=8080 nocturne serve' },
  async run() {
    const { serve } = await import('#src/server/serve')
    await serve()
    await new Promise(() => {})
  },
})
