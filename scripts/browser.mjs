// Finds a Chromium for the end-to-end tests, or installs one.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, ROOT, run } from './install.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge']
/** The headless shell, which Playwright also prefers: tests take a third less time in it. */
const SHELL = 'chromium-headless-shell'
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Finds browsers for the tests. Returns environment variables: CHROMIUM_PATH for nearly all tests, and BROWSER_PATH for
 * a browser with all features; neither if Playwright has its own browser. Ends the process if no browser can be found
 * or installed.
 */
export async function ensureBrowser() {
  const found = systemBrowsers()
  if (found) return found
  if (hasPlaywrightBrowser()) return {}
  console.log('No Chromium found; installing one …')
  const install = ['--no-install', 'playwright', 'install', 'chromium']
  if ((await reachable('https://cdn.playwright.dev')) && run('npx', install)) return {}
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    run('apt-get', ['update'], options)
    for (const name of [NAMES[0], SHELL])
      run('apt-get', ['install', '-y', '--no-install-recommends', name], options)
  }
  return (
    systemBrowsers() ??
    fail('The end-to-end tests need a Chromium: install Chrome or Chromium, or set CHROMIUM_PATH.')
  )
}

function systemBrowsers() {
  const given = process.env.CHROMIUM_PATH
  if (given && !existsSync(given)) fail(`CHROMIUM_PATH names no file: ${given}`)
  const browser = given ?? [...onPath(NAMES), ...ELSEWHERE].find((path) => existsSync(path))
  const shell = given ?? onPath([SHELL]).find((path) => existsSync(path)) ?? browser
  return browser && { CHROMIUM_PATH: shell, BROWSER_PATH: browser }
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name)))
}

function hasPlaywrightBrowser() {
  const script = "process.stdout.write(require('@playwright/test').chromium.executablePath())"
  return existsSync(
    execFileSync(process.execPath, ['-e', script], { cwd: join(ROOT, 'e2e'), encoding: 'utf8' }),
  )
}

async function reachable(address) {
  try {
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(5_000) })
    return true
  } catch {
    return false
  }
}
