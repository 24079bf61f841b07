// Finds a Chromium for the end-to-end tests, and installs one where there is none.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, ROOT } from './install.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge']
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of a browser, or '' when Playwright has its own. Ends the process when none can be had. */
export async function ensureBrowser() {
  const found = systemBrowser() ?? (playwrightHasItsOwn() ? '' : undefined)
  if (found !== undefined) return found
  console.log('No Chromium found; installing one …')
  if (await reachable('https://cdn.playwright.dev')) {
    const { status } = spawnSync('npx', ['--no-install', 'playwright', 'install', 'chromium'], {
      cwd: ROOT,
      stdio: 'inherit',
    })
    if (status === 0) return ''
  }
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    spawnSync('apt-get', ['update'], options)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
  }
  return (
    systemBrowser() ??
    fail('The end-to-end tests need a Chromium: install Chrome or Chromium, or set CHROMIUM_PATH.')
  )
}

function systemBrowser() {
  const given = process.env.CHROMIUM_PATH
  if (given) return existsSync(given) ? given : fail(`CHROMIUM_PATH names no file: ${given}`)
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...onPath, ...ELSEWHERE].find((path) => existsSync(path))
}

function playwrightHasItsOwn() {
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
