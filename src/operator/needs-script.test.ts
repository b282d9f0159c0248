import { expect, test } from 'bun:test'
import { operatorBrowser, testApp } from '#src/testing/app'

const { app } = await testApp()
const operator = await operatorBrowser(app)

test.each([
  ['/premium-content?tab=single', 'Single Upload'],
  ['/audio-test', 'The voice lab'],
  ['/challenge-editor?id=new', 'The editor of challenges'],
])('%s says that it needs JavaScript and hides its fields without it', async (path, what) => {
  const page = await (await operator.call(path)).text()
  const main = page.slice(page.indexOf('id="main"'))
  expect(main).toContain(`<noscript><p class="empty">${what}<!-- --> needs JavaScript.</p></noscript>`)
  const [before = '', within = ''] = main.split('<div class="needs-script">')
  expect(before).not.toContain('<textarea')
  expect(within).toMatch(/<(input|textarea)/)
})
