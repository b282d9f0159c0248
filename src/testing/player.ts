import type { Locator, Page, Route } from 'playwright-core'

/** The player's bar. */
export const player = (page: Page): Locator => page.getByRole('region', { name: 'Player' })

/** Presses a button of the player's bar. */
export const pressInPlayer = (page: Page, name: string): Promise<void> =>
  player(page).getByRole('button', { name, exact: true }).click()

/** Presses the first Play button of an item. */
export const play = (page: Page, title: string): Promise<void> =>
  page
    .getByRole('button', { name: `Play ${title}`, exact: true })
    .first()
    .click()

/** Reads the player's audio element: the position in seconds, and the volume from 0 to 1. Without one both are -1. */
export const readSound = (page: Page): Promise<{ at: number; volume: number; isPaused: boolean }> =>
  page.evaluate(() => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    return { at: audio?.currentTime ?? -1, volume: audio?.volume ?? -1, isPaused: audio?.paused ?? true }
  })

/**
 * Waits until the player plays, past a position in seconds. The audio element alone is not enough: after play() it is
 * not paused, and is at the position that was chosen for it, but the player does not know yet whether there is sound.
 */
export const waitUntilPlaying = (page: Page, pastSeconds = 0): Promise<void> =>
  waitUntilBetween(page, pastSeconds + 0.001, Number.MAX_VALUE)

/** Waits until the player plays at a position in seconds, or up to 15 seconds past it. */
export const waitUntilAt = (page: Page, seconds: number): Promise<void> =>
  waitUntilBetween(page, seconds, seconds + 15)

async function waitUntilBetween(page: Page, fromSeconds: number, toSeconds: number): Promise<void> {
  await page.waitForFunction(
    ([from, to]) => {
      const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
      const isPlaying = navigator.mediaSession.playbackState === 'playing'
      return isPlaying && audio && !audio.paused && audio.currentTime >= from && audio.currentTime < to
    },
    [fromSeconds, toSeconds] as const,
  )
}

/** Sets the audio's position in seconds, as if the item had been heard up to there. */
export const hearUntil = (page: Page, seconds: number): Promise<void> =>
  page.evaluate((at) => {
    const audio = document.querySelector<HTMLAudioElement>('#player-host audio')
    if (audio) audio.currentTime = at
  }, seconds)

/** Moves the slider of the position to these seconds. */
export const slideTo = (page: Page, seconds: number): Promise<void> =>
  player(page).getByLabel('Position').fill(`${seconds}`)

/** About nineteen seconds of audio. */
export const pieceBytes = 150_000

/**
 * Sends the audio in pieces, so that a failure can happen midway. `fail` returns whether it has made the request fail.
 */
export async function sendInPieces(
  page: Page,
  fail: (route: Route, startBytes: number) => Promise<boolean>,
): Promise<void> {
  await page.route('**/api/premium-audio/*/female', async (route) => {
    const request = route.request()
    if (request.method() !== 'GET') return route.continue()
    const start = Number(request.headers().range?.match(/^bytes=(\d+)-/)?.[1] ?? 0)
    if (await fail(route, start)) return
    const headers = { ...request.headers(), range: `bytes=${start}-${start + pieceBytes - 1}` }
    await route.fulfill({ response: await route.fetch({ headers }) })
  })
}
