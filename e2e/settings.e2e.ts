import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { userSettings, users } from '#db/schema'
import { takeMails } from '#src/mail/testing'
import { memberPassword } from '#src/testing/app'
import {
  openMemberPage,
  openPage,
  openSite,
  readDownload,
  seeFocus,
  seeToast,
  signIn,
} from '#src/testing/browser'
import { findBarriers, findFaults } from '#src/testing/find-faults'
import { until } from '#src/testing/until'

const site = await openSite()

test('a profile is edited in place by keyboard', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const edit = page.getByRole('button', { name: 'Edit Profile' })
  await edit.focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Profile' })
  await form.getByLabel('Last name').fill('Hale')
  await page.keyboard.press('Enter')
  await seeToast(page, 'Profile saved')
  await page.getByText('Iris Hale').waitFor()
  await seeFocus(edit)
  expect(await edit.getAttribute('aria-expanded')).toBe('false')
  await page.reload()
  await page.getByText('Iris Hale').waitFor()
  expect(complaints).toEqual([])
})

test('a password is changed, and a rejected form keeps its input', async () => {
  const { page, complaints, email } = await openMemberPage(site, '/settings')
  await page.getByRole('button', { name: 'Change Password' }).click()
  const form = page.getByRole('form', { name: 'Change password' })
  await form.getByLabel('Current password').fill('not this one')
  await form.getByLabel('New password').fill('a quieter evening')
  await form.getByRole('button', { name: 'Save Password' }).click()
  await form.getByText('This is not your password.').waitFor()
  await seeFocus(form.getByLabel('Current password'))
  expect(await form.getByLabel('New password').inputValue()).toBe('a quieter evening')
  await form.getByLabel('Current password').fill(memberPassword)
  await form.getByRole('button', { name: 'Save Password' }).click()
  await seeToast(page, 'Your password is changed.')
  await seeFocus(page.getByRole('button', { name: 'Change Password' }))
  await page.locator('#sessions').getByText('You are not signed in anywhere else.').waitFor()
  await signIn((await openPage(site)).page, email, 'a quieter evening')
  expect(complaints).toEqual([])
})

test('a change is confirmed and its form closed even when refetching the page’s data fails', async () => {
  const { page, email } = await openMemberPage(site, '/settings')
  await page.route(/\/api\/user\/(sessions|feeds)$/, (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: 'Change Password' }).click()
  const form = page.getByRole('form', { name: 'Change password' })
  await form.getByLabel('Current password').fill(memberPassword)
  await form.getByLabel('New password').fill('a quieter evening')
  await form.getByRole('button', { name: 'Save Password' }).click()
  await page.locator('#sessions').getByText('You are not signed in anywhere else.').waitFor()
  await seeFocus(page.getByRole('button', { name: 'Change Password' }))
  expect(await form.count()).toBe(0)
  await signIn((await openPage(site)).page, email, 'a quieter evening')
  await page.getByRole('button', { name: 'Make My Feeds' }).click()
  await seeToast(page, 'Your feeds are ready')
  await page.getByRole('button', { name: 'End My Feeds' }).press('Enter')
  await seeFocus(page.getByRole('heading', { name: 'Private feeds' }))
  await seeToast(page, 'Your feeds have ended')
})

test('an email change is requested in place, and takes effect when the mailed link is confirmed', async () => {
  const { page, complaints, email } = await openMemberPage(site, '/settings')
  await takeMails(site.services)
  const wanted = `new-${email}`
  await page.getByRole('button', { name: 'Change Email' }).click()
  const form = page.getByRole('form', { name: 'Change email' })
  await form.getByLabel('New email').fill(wanted)
  await form.getByLabel('Your password').fill('not this one')
  await form.getByRole('button', { name: 'Send the Mail' }).click()
  await form.getByText('This is not your password.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await form.getByLabel('New email').inputValue()).toBe(wanted)
  await form.getByLabel('Your password').fill(memberPassword)
  await form.getByRole('button', { name: 'Send the Mail' }).click()
  await seeToast(page, 'A mail is on its way to the new address. Nothing changes until you follow its link.')
  const mail = (await takeMails(site.services)).find(({ to }) => to === wanted)
  const link = new URL(mail?.text.match(/http:\S+/)?.[0] ?? '')
  await page.goto(link.pathname + link.search)
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Yes, use this address' }).click()
  await page.getByText('Your email is changed. You are not signed in anywhere else.').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText(wanted).waitFor()
  expect(complaints).toEqual([])
})

test('the theme and the email switch are saved at once and persist on the next page', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const theme = page.getByRole('form', { name: 'Theme' })
  const savedResponse = page.waitForResponse((response) => response.url().endsWith('/api/user/settings'))
  await theme.getByRole('button', { name: 'Paper' }).click()
  await page.locator('html[data-theme="paper"]').waitFor()
  expect((await savedResponse).ok()).toBe(true)
  const mails = page.getByRole('switch', { name: /^Email/ })
  expect(await mails.isChecked()).toBe(true)
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/user/settings'))
  await mails.press('Space')
  expect((await saved).ok()).toBe(true)
  await page.reload()
  await page.locator('html[data-theme="paper"]').waitFor()
  expect(await mails.isChecked()).toBe(false)
  expect(await theme.getByRole('button', { name: 'Paper' }).getAttribute('aria-pressed')).toBe('true')
  expect(complaints).toEqual([])
})

test('two settings whose responses arrive late both keep the chosen values', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  const [mails, next] = [
    page.getByRole('switch', { name: /^Email/ }),
    page.getByRole('switch', { name: /next/ }),
  ]
  const answered = Promise.withResolvers<void>()
  await page.route(
    '**/api/user/settings',
    async (route) => {
      const response = await route.fetch()
      await answered.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  const saved = () => page.waitForResponse((response) => response.url().endsWith('/api/user/settings'))
  const first = page.waitForRequest('**/api/user/settings')
  await mails.press('Space')
  await first
  const second = saved()
  await next.press('Space')
  await second
  const late = saved()
  answered.resolve()
  await (await late).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect([await mails.isChecked(), await next.isChecked()]).toEqual([false, false])
  await page.reload()
  expect([await mails.isChecked(), await next.isChecked()]).toEqual([false, false])
  expect(complaints).toEqual([])
})

test('the last of two changes of one setting wins, even when the first is sent late', async () => {
  const { page, complaints, email } = await openMemberPage(site, '/settings')
  const mails = page.getByRole('switch', { name: /^Email/ })
  const isMailed = async () => {
    const [row] = await site.services.db
      .select({ isMailed: userSettings.emailNotifications })
      .from(userSettings)
      .innerJoin(users, eq(users.id, userSettings.userId))
      .where(eq(users.email, email))
    return row?.isMailed
  }
  const first = Promise.withResolvers<void>()
  await page.route(
    '**/api/user/settings',
    async (route) => {
      await first.promise
      await route.continue()
    },
    { times: 1 },
  )
  const begun = page.waitForRequest('**/api/user/settings')
  await mails.press('Space')
  await begun
  await mails.press('Space')
  expect(await mails.isChecked()).toBe(true)
  const theme = page.waitForResponse('**/api/user/settings')
  await page.getByRole('form', { name: 'Theme' }).getByRole('button', { name: 'Paper' }).click()
  await (await theme).finished()
  const answers: boolean[] = []
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/api/user/settings')) answers.push(request.postDataJSON().emailNotifications)
  })
  first.resolve()
  await until(async () => answers.length === 2)
  expect(await isMailed()).toBe(true)
  expect(await mails.isChecked()).toBe(true)
  expect(complaints).toEqual([])
})

test('other sessions and private feeds are revoked, and the history is cleared', async () => {
  const { page, complaints, email } = await openMemberPage(site, '/settings')
  const phone = await openPage(site)
  await signIn(phone.page, email, memberPassword)
  await page.reload()
  await page.getByText(/^Last seen /).waitFor()
  await page.getByRole('button', { name: 'Make My Feeds' }).click()
  await page.getByRole('button', { name: 'End My Feeds' }).waitFor()
  await page.getByRole('button', { name: 'Sign out elsewhere' }).press('Enter')
  await seeFocus(page.getByRole('heading', { name: 'Active sessions' }))
  await seeToast(page, 'Signed out on 1 other device.')
  await page.locator('#sessions').getByText('The private feeds have ended').waitFor()
  await page.getByRole('button', { name: 'End My Feeds' }).waitFor({ state: 'detached' })
  await page.getByText(/^Last seen /).waitFor({ state: 'detached' })
  expect(await (await phone.page.request.get('/api/auth/user')).json()).toBeNull()
  await page.getByRole('button', { name: 'Make My Feeds' }).click()
  await page.getByRole('button', { name: 'End My Feeds' }).press('Enter')
  await seeFocus(page.getByRole('heading', { name: 'Private feeds' }))
  await page.getByRole('button', { name: 'Clear History' }).click()
  await page.getByRole('button', { name: 'Yes, clear it' }).click()
  await seeToast(page, 'Your history is cleared.')
  expect(complaints).toEqual([])
})

test('the downloaded data is a zip that matches the database', async () => {
  const { page, complaints, email } = await openMemberPage(site, '/settings')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download My Data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^nocturne-[\d-]+\.zip$/)
  const files = unzipSync(await readDownload(download))
  const [row] = await site.services.db.select().from(users).where(eq(users.email, email))
  const exported = JSON.parse(new TextDecoder().decode(files['data/users.json']))
  expect(exported).toMatchObject([{ id: row?.id, email, first_name: 'Iris' }])
  expect(Object.keys(files)).toContain('README.txt')
  expect(complaints).toEqual([])
})

test('deleting an account requires the password and ends on a confirmation page', async () => {
  const { page, complaints, email } = await openMemberPage(site, '/settings')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const form = page.getByRole('form', { name: 'Delete account' })
  await form.getByLabel('Your password').fill('not this one')
  const remove = form.getByRole('button', { name: 'Delete my account for good' })
  await remove.click()
  await form.getByText('This is not your password.').waitFor()
  await seeFocus(form.getByLabel('Your password'))
  await form.getByLabel('Your password').fill(memberPassword)
  await remove.click()
  await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
  expect(await site.services.db.select().from(users).where(eq(users.email, email))).toEqual([])
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  expect(complaints).toEqual([])
})

test('settings work as plain forms without JavaScript', async () => {
  const { page } = await openMemberPage(site, '/settings', { javaScriptEnabled: false })
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('Last name').fill('Hale')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await page.getByText('Profile saved').waitFor()
  await page.getByText('Iris Hale').waitFor()
  await page.getByRole('switch', { name: /^Email/ }).uncheck()
  await page.locator('#notifications').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved').waitFor()
  expect(await page.getByRole('switch', { name: /^Email/ }).isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('a quieter evening')
  await page.getByRole('button', { name: 'Save Password' }).click()
  await page.getByText('This is not your password.').waitFor()
  await seeFocus(page.getByLabel('Current password'))
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByLabel('Your password').fill(memberPassword)
  await page.getByRole('button', { name: 'Delete my account for good' }).click()
  await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
})

test('the settings have no accessibility or layout faults at either width and theme', async () => {
  const { page, complaints } = await openMemberPage(site, '/settings')
  for (const open of ['?open=profile', '?open=password', '?open=delete']) {
    await page.goto(`/settings${open}`)
    expect(await findFaults(page, open)).toEqual([])
  }
  expect(complaints).toEqual([])
})

test('the index of a long page highlights the section in view, and is hidden on phones', async () => {
  const { page } = await openMemberPage(site, '/settings')
  for (const path of ['/settings', '/privacy']) {
    await page.goto(path)
    const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const lit = () =>
      links.evaluateAll((all) =>
        all.filter((each) => each.matches(':target-current')).map((each) => each.textContent),
      )
    const names = await links.allTextContents()
    for (const name of [names[2], names[1]]) {
      await links.getByText(name ?? '', { exact: true }).click()
      await until(async () => (await lit()).join() === name)
    }
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await links.first().isVisible()).toBe(false)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
})
