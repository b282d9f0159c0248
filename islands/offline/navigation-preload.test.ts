import { expect, test } from 'bun:test'
import { choosePreload } from '#islands/offline/navigation-preload'

test.each([
  ['off', 'Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'],
  ['off', 'Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0'],
  [
    'on',
    'Firefox on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) FxiOS/153.0 Mobile Safari/605.1',
  ],
  ['on', 'Chrome', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/145.0.0.0 Safari/537.36'],
])('navigation preload is %s in %s, after an earlier worker enabled it', async (wanted, _, userAgent) => {
  let isEnabled = true
  const set = async (is: boolean) => {
    isEnabled = is
  }
  await choosePreload({ enable: () => set(true), disable: () => set(false) }, userAgent)
  expect(isEnabled ? 'on' : 'off').toBe(wanted)
})
