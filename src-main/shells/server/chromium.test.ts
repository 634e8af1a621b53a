import { describe, expect, test } from 'vitest'
import { tmpdir } from 'node:os'
import { findChromium, profileParent, type Machine } from './chromium.ts'
import { chromiumArguments, drawingArguments } from './chromiumArguments.ts'

interface Row {
  platform?: NodeJS.Platform
  environment?: Record<string, string>
  files?: string[]
  expected: string | RegExp
}

function check(what: string, { platform = 'linux', environment = {}, files = [], expected }: Row): void {
  test(what, () => {
    const separator = platform === 'win32' ? '\\' : '/'
    const machine: Machine = {
      platform,
      home: '/home/ada',
      environment: { PATH: '/usr/local/bin:/usr/bin', ...environment },
      exists: (path) => files.includes(path),
      list: (folder) => [
        ...new Set(
          files
            .filter((file) => file.startsWith(folder + separator))
            .map((file) => file.slice(folder.length + 1).split(separator)[0] ?? ''),
        ),
      ],
    }
    const found = findChromium(machine)
    if (typeof expected === 'string') expect(found.path).toBe(expected)
    else expect(found.path === undefined && `${found.why} ${found.command}`).toMatch(expected)
  })
}

describe('findChromium', () => {
  check('chosen by hand', {
    environment: { LOUPE_CHROMIUM: '/opt/mine' },
    files: ['/opt/mine', '/usr/bin/chromium'],
    expected: '/opt/mine',
  })
  check('chosen by hand, gone', {
    environment: { LOUPE_CHROMIUM: '/opt/mine' },
    files: ['/usr/bin/chromium'],
    expected: /LOUPE_CHROMIUM names \/opt\/mine, which does not exist/,
  })
  check('on the PATH', { files: ['/usr/bin/google-chrome'], expected: '/usr/bin/google-chrome' })
  check('Chromium before Chrome, wherever', {
    files: ['/usr/local/bin/google-chrome', '/usr/bin/chromium'],
    expected: '/usr/bin/chromium',
  })
  check('a snap', { files: ['/snap/bin/chromium'], expected: '/snap/bin/chromium' })
  check("Playwright's newest", {
    files: [
      '/home/ada/.cache/ms-playwright/chromium-999/chrome-linux/chrome',
      '/home/ada/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome',
    ],
    expected: '/home/ada/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome',
  })
  check("Playwright's elsewhere", {
    environment: { PLAYWRIGHT_BROWSERS_PATH: '/b' },
    files: ['/b/chromium-1/chrome-linux/chrome'],
    expected: '/b/chromium-1/chrome-linux/chrome',
  })
  check("not Playwright's headless shell", {
    files: ['/home/ada/.cache/ms-playwright/chromium_headless_shell-1/chrome-linux/chrome'],
    expected: /No Chromium/,
  })
  check('macOS', {
    platform: 'darwin',
    files: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    expected: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  })
  check('macOS, in the home', {
    platform: 'darwin',
    files: ['/home/ada/Applications/Chromium.app/Contents/MacOS/Chromium'],
    expected: '/home/ada/Applications/Chromium.app/Contents/MacOS/Chromium',
  })
  check('Windows', {
    platform: 'win32',
    environment: { ProgramFiles: 'C:\\Program Files' },
    files: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
    expected: 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  })
  check('Windows, on the Path', {
    platform: 'win32',
    environment: { PATH: 'D:\\bin' },
    files: ['D:\\bin\\msedge.exe'],
    expected: 'D:\\bin\\msedge.exe',
  })
  check('none on Debian', {
    expected: /No Chromium, Chrome or Edge was found on this machine\. sudo apt-get install chromium/,
  })
  check('none on macOS', { platform: 'darwin', expected: /brew install --cask chromium/ })
})

test.each([
  ['/usr/bin/chromium', tmpdir()],
  ['/snap/bin/chromium', '/home/ada/snap/chromium/common'],
  ['/var/lib/flatpak/exports/bin/org.chromium.Chromium', '/home/ada/.var/app/org.chromium.Chromium/cache'],
])('the profile of %s is in a folder that the program can read', (program, expected) => {
  expect(profileParent(program, '/home/ada')).toBe(expected)
})

describe('chromiumArguments', () => {
  const window = {
    appUrl: 'http://127.0.0.1:4711/#token=t',
    appPort: 4711,
    proxyPort: 4712,
    spkiSha256: 'aGFzaA==',
    profileFolder: '/tmp/p',
    asRoot: false,
    headless: false,
  }

  test('exactly the tested flags, and a size', () => {
    expect(chromiumArguments(window).sort()).toEqual(
      [
        '--app=http://127.0.0.1:4711/#token=t',
        '--user-data-dir=/tmp/p',
        '--proxy-server=http://127.0.0.1:4712',
        '--proxy-bypass-list=<-loopback>;127.0.0.1:4711',
        '--ignore-certificate-errors-spki-list=aGFzaA==',
        '--disable-quic',
        '--window-size=1400,900',
        '--no-first-run',
        '--no-default-browser-check',
        '--password-store=basic',
        '--disable-sync',
        '--disable-component-update',
        '--disable-background-networking',
        '--webrtc-ip-handling-policy=disable_non_proxied_udp',
        '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
        '--disable-features=HttpsUpgrades,AutoupgradeMixedContent,AimEnabled,AimServerEligibilityEnabled,AimServerRequestOnStartupEnabled',
        '--allow-running-insecure-content',
      ].sort(),
    )
  })

  test('only root disables the sandbox', () => {
    expect(chromiumArguments({ ...window, asRoot: true })).toEqual([
      ...chromiumArguments(window),
      '--no-sandbox',
      '--test-type',
    ])
  })

  test('headless', () => {
    expect(chromiumArguments({ ...window, headless: true })).toEqual([
      ...chromiumArguments(window),
      '--headless',
      '--remote-debugging-port=0',
    ])
  })

  test('a browser for pictures has the same flags, uses only the proxy, and opens no port', () => {
    const { appUrl: _, appPort: __, headless: ___, ...profile } = window
    const drawing = drawingArguments(profile)
    expect(drawing).toContain('--proxy-bypass-list=<-loopback>')
    expect(drawing).toContain('--remote-debugging-pipe')
    expect(drawing.filter((flag) => flag.startsWith('--remote-debugging-port'))).toEqual([])
    const ofTheWindow = ['--app=', '--window-size=', '--proxy-bypass-list=']
    const common = chromiumArguments(window).filter((flag) => !ofTheWindow.some((start) => flag.startsWith(start)))
    expect(drawing).toEqual(expect.arrayContaining(common))
  })
})
