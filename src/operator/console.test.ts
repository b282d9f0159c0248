import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { sheetFile, sheetRow } from '#src/import/draft/testing'
import { toneMp3 } from '#src/narration/testing'
import { addGuideline } from '#src/review/change-guideline'
import { browser, markupOf, memberBrowser, operatorBrowser, operatorToken, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)
const form = (fields: Record<string, string>) => ({ form: fields })

test('visitors and members get the login card instead of the dashboard, and 401 for its forms', async () => {
  for (const each of [browser(app), await memberBrowser(app, 'mara@example.com')]) {
    const html = await (await each.call('/admin?tab=signups')).text()
    expect(html).toContain('Admin Access')
    expect(html).not.toContain('Beta Signups')
    for (const path of ['/admin/story', '/admin/stories'])
      expect((await each.call(path, form({ title: 'x', content: 'y', rows: 'a|b|c|d' }))).status).toBe(401)
    expect((await each.call('/admin/template.tsv')).status).toBe(401)
  }
})

test('the Beta Access box is shown on the site but not in the console', async () => {
  for (const path of ['/admin', '/premium-content', '/jobs', '/premium-content?tab=none'])
    expect(await (await operator.call(path)).text()).not.toContain('Get Early Access')
  expect(await (await operator.call('/')).text()).toContain('Get Early Access')
})

test('each console tab has its own page title', async () => {
  for (const [path, heading, tabs] of [
    ['/admin', 'Admin Dashboard', ['Story Upload', 'System Overview', 'Beta Signups']],
    ['/premium-content', 'Premium Content', ['Content Overview', 'Single Upload', 'Excel + MP3']],
    ['/training', 'Story Training &amp; Content Guidelines', ['Content Guidelines', 'Held for review']],
    ['/analytics', 'Analytics Dashboard', ['User Behavior', 'Real-Time']],
  ] as const) {
    const html = await (await operator.call(path)).text()
    for (const tab of tabs) {
      const [, href = path] =
        html.match(new RegExp(`class="tab" href="([^"]+)"[^>]*>${tab.replace('+', '[+]')}<`)) ?? []
      const page = await (await operator.call(href.replaceAll('&amp;', '&'))).text()
      expect(page).toContain(`<title>${tab} – ${heading} – Nocturne</title>`)
    }
  }
})

describe('console without JavaScript', () => {
  test('signs in and out, reports a wrong token and ignores a foreign redirect target', async () => {
    const someone = browser(app, '10.20.0.1')
    const wrong = await someone.call('/admin-login', form({ token: 'no', entrance: 'admin', next: '/admin' }))
    expect(wrong.status).toBe(401)
    expect(await wrong.text()).toContain('Invalid admin token')
    const right = await someone.call(
      '/admin-login',
      form({ token: operatorToken, entrance: 'admin', next: 'https://elsewhere.example/' }),
    )
    expect([right.status, right.headers.get('location')]).toEqual([303, '/'])
    expect(await (await someone.call('/admin')).text()).toContain('Admin Dashboard')
    expect((await someone.call('/admin-logout', form({}))).headers.get('location')).toBe('/admin')
    expect(await (await someone.call('/admin')).text()).toContain('Admin Access')
  })

  test('creates one story or many by form', async () => {
    const one = await operator.call(
      '/admin/story',
      form({ title: 'The Kite', content: 'It flew.', duration: 'soon' }),
    )
    expect(one.headers.get('location')).toBe('/admin?said=story')
    const many = await operator.call(
      '/admin/stories',
      form({ rows: 'Salt Air | lesbian | sea | The hut had one chair.' }),
    )
    expect(many.headers.get('location')).toBe('/admin?said=stories')
    const made = await services.db.select().from(stories).where(eq(stories.title, 'The Kite'))
    expect(made).toMatchObject([{ duration: 15, categories: ['romantic'] }])
    expect(await (await operator.call('/admin?said=story')).text()).toContain('Story created successfully')
  })

  test('shows a refused story again with what was typed and the reason', async () => {
    const typed = {
      title: ' ',
      content: 'It flew over the bay.',
      category: 'lesbian',
      duration: '20',
      voice: 'male',
    }
    const refused = await operator.call('/admin/story', form(typed))
    expect(refused.status).toBe(422)
    const page = await markupOf(refused)
    expect(page).toContain('Please fill in title and content.')
    expect(page).toContain('>It flew over the bay.</textarea>')
    expect(page).toContain('value="20"')
    for (const value of ['lesbian', 'male']) expect(page).toContain(`<option value="${value}" selected="">`)
  })

  test('shows refused rows again with the reason', async () => {
    const refused = await operator.call(
      '/admin/stories',
      form({ rows: 'Salt Air | no such category | sea | Hut.' }),
    )
    expect(refused.status).toBe(422)
    const page = await markupOf(refused)
    expect(page).toContain('>Salt Air | no such category | sea | Hut.</textarea>')
    expect(page).toContain('no such category')
  })

  test('imports a sheet with its MP3s, and says which rows were not imported and why', async () => {
    const body = new FormData()
    body.set('excel', sheetFile('two.csv', [sheetRow('The Gate'), sheetRow('The Wall', '')]))
    const mp3 = new Uint8Array(await toneMp3(1))
    for (const name of ['the-gate.mp3', 'the-sea.mp3']) body.append('mp3s', new File([mp3], name))
    const sent = await operator.call('/premium-content/import', { body })
    expect(sent.status).toBe(200)
    const page = await markupOf(sent)
    expect(page).toContain('Import finished')
    expect(page).toContain('1 imported, 0 updated, 1 skipped.')
    expect(page).toContain('<li>Row 3, column F “Text”: There is no text.')
    expect(page).toContain('No row is named like the-sea.mp3. It was not imported.')
    expect(page).toContain('1 added, 0 changed, 1 audio file')
  })

  test('says how many rows of an import are held', async () => {
    await addGuideline(
      services.db,
      { ruleType: 'negative_keywords', keywords: ['driftwood'], severity: 'high' },
      'Ada',
    )
    const pier = sheetRow('The Pier', 'Driftwood lay under it.')
    expect(await resultOf([pier])).toContain('1 row is held for review until an operator approves it.')
    const [item] = await services.db.select().from(stories).where(eq(stories.title, 'The Pier'))
    const approved = await operator.call(`/api/held-content/${item?.id}`, {
      method: 'PATCH',
      json: { decision: 'approve' },
    })
    expect(approved.status).toBe(200)
    const again = await resultOf([pier, sheetRow('The Gull')])
    expect(again).toContain('1 imported, 0 updated, 1 skipped.')
    expect(again).not.toContain('held for review until')
    const changed = sheetRow('The Pier', 'Driftwood lay around it.')
    expect(await resultOf([changed, sheetRow('The Dune', 'There was driftwood.')])).toContain(
      '2 rows are held for review until an operator approves them.',
    )
  })

  test('shows the import form again with the reason when no sheet was chosen', async () => {
    const body = new FormData()
    body.set('excel', new File([], ''))
    const sent = await operator.call('/premium-content/import', { body })
    expect(sent.status).toBe(422)
    const page = await markupOf(sent)
    expect(page).toContain('Please select an Excel/CSV file')
    expect(page).toContain('action="/premium-content/import"')
  })
})

/** The page after an import of a sheet by the form without a script. */
async function resultOf(rows: unknown[][]): Promise<string> {
  const body = new FormData()
  body.set('excel', sheetFile('rows.csv', rows))
  return markupOf(await operator.call('/premium-content/import', { body }))
}

test('a dry run of a bulk upload reports on each row and changes nothing', async () => {
  const rows = [
    { title: 'Moonrise', category: 'romantic', tags: '', story: 'It rose.' },
    { title: 'Moonrise', category: 'romantic', tags: '', story: 'It set.' },
  ]
  const answer = await operator.json('/api/stories/bulk?dryRun=true', { json: { stories: rows } })
  expect(answer).toMatchObject({ count: 0, stories: [] })
  expect(answer.rows).toMatchObject([
    { row: 1, verdict: 'new', what: 'Adds a story', words: 2 },
    { row: 2, verdict: 'problem' },
  ])
  expect(await services.db.select().from(stories).where(eq(stories.title, 'Moonrise'))).toEqual([])
})
