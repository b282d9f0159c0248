import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { users } from '#db/schema'
import { register } from '#src/member/sign-in/register'
import { openSession } from '#src/session/session'
import { memberPassword } from '#src/testing/app'
import { openOperatorPage, openSite, readDownload } from '#src/testing/browser'
import { findBarriers, findFaults } from '#src/testing/find-faults'

const site = await openSite()
const { db } = site.services

async function addMember(name: string) {
  const email = `${name.toLowerCase()}@example.com`
  const member = await register(db, { email, password: memberPassword, firstName: name }, email)
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
  await openSession(db, { kind: 'member', userId: member.id, userAgent, addressHash: 'a' })
  return { id: member.id, email }
}

test('an operator finds, signs out, suspends, exports and deletes a member by keyboard', async () => {
  const { email } = await addMember('Iris')
  await addMember('Jonas')
  const { page, complaints } = await openOperatorPage(site, '/members')
  await page.getByRole('main').getByText('2 members').waitFor()
  await page.getByLabel('Search members').fill('iri')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('1 member', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'iris@example.com' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Firefox on Linux').waitFor()
  await page.getByRole('button', { name: 'Sign out everywhere' }).press('Enter')
  await page.getByText('Not signed in anywhere.').waitFor()

  await page.getByLabel('Reason').fill('Several reports of unkind comments.')
  await page.getByRole('button', { name: 'Suspend', exact: true }).press('Enter')
  await page.getByText('The member is told: Several reports of unkind comments.').waitFor()
  await page.getByRole('button', { name: 'Lift the suspension' }).press('Enter')
  await page.getByText('The suspension is lifted.').waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).press('Enter'),
  ])
  const files = unzipSync(await readDownload(download))
  const exported = JSON.parse(new TextDecoder().decode(files['data/users.json']))
  expect(exported).toMatchObject([{ email, first_name: 'Iris' }])

  await page.getByLabel(`Type ${email}`).fill('jonas@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('This is not the email of this member.').waitFor()
  await page.getByLabel(`Type ${email}`).fill(email)
  await page.keyboard.press('Enter')
  await page.getByText('The member is deleted.').waitFor()
  expect(await db.select().from(users).where(eq(users.email, email))).toEqual([])
  expect(complaints).toEqual([])
})

test('a setting changed in the overview names the operator, and can be reset to its default', async () => {
  const { page, complaints } = await openOperatorPage(site, '/admin?tab=overview')
  const limit = page.getByRole('form', { name: 'Free stories' })
  await limit.getByRole('spinbutton').fill('5')
  await limit.getByRole('button', { name: 'Save' }).click()
  await limit.getByText(/changed by Ada/).waitFor()
  await limit.getByText(/^Default: 3/).waitFor()
  await limit.getByRole('button', { name: 'Back to the default' }).click()
  await limit.getByText(/^The default/).waitFor()
  expect(await limit.getByRole('spinbutton').inputValue()).toBe('3')
  const sharing = page.getByRole('form', { name: 'Sharing by members' })
  await sharing.getByRole('button', { name: 'Off' }).press('Space')
  await sharing.locator('button[value="false"][aria-pressed="true"]').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('the member pages have no accessibility or layout faults at either width and theme', async () => {
  const { id } = await addMember('ada')
  const { page, complaints } = await openOperatorPage(site, '/members')
  for (const path of ['/members', `/members/${id}`]) {
    await page.goto(path)
    expect(await findFaults(page)).toEqual([])
  }
  expect(complaints).toEqual([])
})
