import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { stories } from '#db/schema'
import { operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { id } = await publishTestItem(services)
const admin = await operatorBrowser(app)
const draft = await admin.json('/api/import-drafts', { json: { files: [] } })

test.each([
  ['a narration', `/api/premium-content/${id}/upload-audio`, 'audioFile', 'ferry.mp3'],
  ['a sheet to import', '/api/premium-content/excel-import', 'excel', 'items.csv'],
  ['a sheet of the form without JavaScript', '/premium-content/import', 'excel', 'items.csv'],
  ['a sheet of a draft import', `/api/import-drafts/${draft.id}/sheet`, 'excel', 'items.csv'],
])(
  '%s of a session that ended during the upload is rejected and discarded',
  async (_, path, field, fileName) => {
    const operator = await operatorBrowser(app)
    const parts = [
      `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\n\r\n`,
      'title,content\r\nThe Night Ferry Again,The last boat left.\r\n--b--\r\n',
    ]
    const body = new ReadableStream(
      {
        async pull(controller) {
          const part = parts.shift()
          if (part === undefined) return controller.close()
          if (parts.length === 0) await admin.call('/api/admin/sessions', { method: 'DELETE', json: {} })
          controller.enqueue(new TextEncoder().encode(part))
        },
      },
      { highWaterMark: 0 },
    )
    const accept = path.startsWith('/api/') ? '*/*' : 'text/html'
    const headers = { 'content-type': 'multipart/form-data; boundary=b', accept }
    const answer = await operator.call(path, { method: 'POST', body, headers })
    expect(answer.status).toBe(401)
    const text = await answer.text()
    expect(text).toContain(path.startsWith('/api/') ? '"code":"operator_required"' : 'Admin Access')
    expect(text).not.toContain('Premium Stories')
    expect(await services.db.$count(stories)).toBe(1)
    const names = readdirSync(services.env.dataDir, { encoding: 'utf8', recursive: true })
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([])
    expect((await admin.json(`/api/import-drafts/${draft.id}`)).fileName).toBeNull()
  },
)
