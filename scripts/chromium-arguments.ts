/** Features of the address bar. Its page is half of the cost of a window, and is not used here. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/**
 * The driver's own list (chromiumSwitches.ts of Playwright). It is repeated because the last of two such lists counts.
 */
const turnedOffByDriver = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Switches that Chromium needs in a container, and those that disable requests to its vendor. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  `--disable-features=${[...turnedOffByDriver, ...addressBar]}`,
]
