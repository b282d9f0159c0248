import type { Page } from 'playwright-core'

/** The viewer of a picture. Each has a browser context of their own, in which they stay signed in. */
export type Viewer = 'newcomer' | 'visitor' | 'member' | 'operator'

/**
 * A page or a state of it. `act` brings the state about; the picture then shows the viewport, otherwise the whole page.
 */
export type View = { name: string; as: Viewer; path: string; act?: (page: Page) => Promise<unknown> }

const button = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()
    .click()
const link = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('link', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()
    .click()
/** Performs acts one after the other. */
const then =
  (...acts: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page)
  }
const fill = (label: string, words: string) => (page: Page) => page.getByLabel(label).first().fill(words)
/** Presses a key once the console's script is loaded. */
const key = (name: string) => async (page: Page) => {
  await page.waitForLoadState('networkidle')
  await page.keyboard.press(name)
}
const heard = (page: Page) =>
  page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0.2)
const play = then(button(/^Play The Night Ferry/), heard)
/** On wide screens the bar has the chips; on phones they are in the full-screen player. */
const playOpened = then(play, async (page) => {
  if ((page.viewportSize()?.width ?? 0) < 861) await button('Open the player')(page)
})

function pagesOf(as: Viewer, paths: readonly string[]): View[] {
  return paths.map((path) => ({ name: `${as} ${path}`, as, path }))
}

function statesOf(as: Viewer, states: Record<string, [path: string, act: View['act']]>): View[] {
  return Object.entries(states).map(([name, [path, act]]) => ({ name: `${as}: ${name}`, as, path, act }))
}

/** Typical pasted rows: a good one, one that exists already, and one without a story. */
const rows =
  'Salt Air | lesbian | sea | The hut had one chair.\nThe Kite | romantic | | It flew.\nshort | row'

const sheet = {
  name: 'november.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    'Name,Story,Category,Audio Length\nThe Kite,It flew over the pier.,romantic,12\nThe Gift,A matchbox.,romantic,soon\n',
  ),
}

/**
 * Uploads a sheet and waits for its plan. The plan is stored for the operator, and appears in any browser after that.
 */
async function planSheet(page: Page): Promise<void> {
  const plan = page.getByRole('heading', { name: 'The plan' })
  // A stored plan appears with the page's script.
  await page.waitForLoadState('networkidle')
  if ((await plan.count()) > 0) return
  await page.getByLabel('Excel or CSV file', { exact: true }).setInputFiles(sheet)
  await button('Upload and check')(page)
  await plan.waitFor()
}

/** Lists every page, and the states and dialogs that a page can have. `itemId` is an item of the library. */
export function listViews(itemId: string): View[] {
  return [
    { name: 'age gate', as: 'newcomer', path: '/' },
    ...pagesOf('visitor', [
      ...['/', '/?type=flow', '/?category=roleplay&length=short', '/stories', '/stories?q=zeppelin'],
      ...['/story/the-night-ferry', '/flow/ten-breaths-before-sleep', '/trending', '/landing', '/home'],
      ...['/create', '/create-stories', '/story-generator', '/my-content', '/challenges', '/settings'],
      ...['/help', '/contact', '/privacy', '/terms', '/sign-in', '/reset-password', '/account-deleted'],
      ...['/verify-email?said=done', '/change-email?token=of-a-mail', '/no-such-page', '/leave'],
      ...['/offline', '/admin-login'],
    ]),
    ...statesOf('visitor', {
      'sign in': ['/', link('Sign in')],
      'sign in, refused': [
        '/sign-in',
        then(fill('Email', 'nobody@example.com'), fill('Password', 'x'), button('Sign In')),
      ],
      'presses Play': ['/', then(button(/^Play /), (page) => page.getByRole('dialog').waitFor())],
      'reader over the list': ['/stories', link(/^Read Now/)],
      report: ['/story/the-night-ferry', link('Report')],
      'searches for nothing': [
        '/stories',
        then(fill('Search stories', 'zeppelin'), (page) => page.getByText('No stories found').waitFor()),
      ],
    }),
    ...pagesOf('member', [
      ...['/', '/stories', '/home', '/my-content', '/create', '/challenges', '/settings', '/trending'],
      '/story/the-night-ferry',
    ]),
    ...statesOf('member', {
      player: ['/', play],
      'sleep timer': ['/', then(playOpened, button('Sleep timer'))],
      speed: ['/', then(playOpened, button(/^Speed/))],
      'more of a card': ['/', button(/^More for /)],
      rating: ['/story/the-night-ferry', (page) => page.getByText('A word to the studio').click()],
      'deletes the account': ['/settings', button('Delete Account')],
      'changes the password, refused': [
        '/settings',
        then(
          button('Change Password'),
          fill('Current password', 'not the password'),
          fill('New password', 'a lamp in the harbour'),
          button('Save Password'),
          (page) => page.locator('[aria-invalid=true]').first().waitFor(),
        ),
      ],
    }),
    ...pagesOf('operator', [
      ...['/premium-content', '/premium-content?status=removed', '/premium-content?tab=excel', '/setup'],
      ...['/premium-content?tab=single', '/premium-content?tab=bulk', '/analytics', '/admin'],
      ...['/admin?tab=signups', '/training', '/training?tab=examples', '/training?tab=held'],
      ...['/challenge-editor', `/studio/${itemId}`, '/jobs', '/moderation', '/feedback', '/members'],
      ...['/model-config', '/audio-test', '/audit', '/', '/admin?tab=overview', '/training?tab=analytics'],
      ...['/analytics?tab=content', '/analytics?tab=realtime', '/analytics?tab=moderation'],
      ...['/challenge-editor?id=new', '/moderation?state=decided'],
    ]),
    ...statesOf('operator', {
      'pastes rows': ['/admin', fill('Paste rows: Name, Category, Tags, Story', rows)],
      'edits an item': ['/premium-content?q=ferry', (page) => page.locator('[data-edit]').first().click()],
      'searches for nothing': ['/premium-content?q=zeppelin', undefined],
      'selects items': [
        '/premium-content',
        (page) => page.getByRole('checkbox').filter({ visible: true }).first().check(),
      ],
      keys: ['/premium-content', key('?')],
      'looks at a member': ['/members', link(/@/)],
      'edits a challenge': ['/challenge-editor', link(/Three Slow Days/)],
      'adds a guideline': [
        '/training',
        then(button('Add Guideline'), fill('Keywords or phrases', 'lamp'), (page) =>
          page.getByText(/^This would hold/).waitFor(),
        ),
      ],
      'checks the plan of a sheet': ['/premium-content?tab=excel', planSheet],
    }),
  ]
}
