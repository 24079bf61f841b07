// Loads pages on a slow line, as a phone on a train has it: with nothing cached from before, and pages of signed-in people
// a second time, on a device that has them.
import { median } from './figures.mjs'

const LINE = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 400 }
const SLOWER = 4
const ROUNDS = 3
/** Each page, with the element that a reader waits for: a text to read, or an input that keeps what is typed. */
const PAGES = [
  { path: '/', content: 'h1' },
  { path: '/plans', content: 'main a[href^="/plans/"]' },
  { path: '/sign-in', typed: 'input[name="email"]' },
  {
    path: '/my-subscriptions',
    content: 'main a[href^="/manage-"], main a[href^="/subscription/"]',
    signedIn: true,
    most: 6,
    again: 1,
  },
  { path: '/create', content: 'main a[href*="category="]', signedIn: true, most: 6, again: 1 },
  { path: '/plans', shown: '/plans (signed in)', content: 'main h3 a', signedIn: true },
  { path: '/', shown: '/ (signed in)', content: 'main section li', signedIn: true },
]

/**
 * Returns rows of seconds until the first words and until the content (or a usable input), and of requests before it.
 */
export async function measureSlow(browser, url, signIn) {
  const rows = []
  for (const wanted of PAGES) {
    const rounds = []
    for (let round = 1; round <= ROUNDS; round += 1) rounds.push(await load(browser, url, wanted, signIn))
    const { path, shown = path, typed, most, again } = wanted
    const of = (name) => median(rounds.map((figures) => figures[name]))
    console.log(`  ${shown} on a slow line: ${JSON.stringify(rounds)}`)
    rows.push([shown, 'first words', `${of('painted').toFixed(1)} s`, goal(of('painted'), 3)])
    if (typed)
      rows.push([shown, 'can be typed into', `${of('reached').toFixed(1)} s`, goal(of('reached'), 6)])
    else rows.push([shown, 'content', `${of('reached').toFixed(1)} s`, most ? goal(of('reached'), most) : ''])
    rows.push([shown, 'requests before that', String(of('requests')), goal(of('requests'), 20)])
    if (!again) continue
    const visits = []
    for (let round = 1; round <= ROUNDS; round += 1)
      visits.push(await loadAgain(browser, url, wanted, signIn))
    console.log(`  ${shown} on a warm device: ${visits}`)
    rows.push([shown, 'content, second visit', `${median(visits).toFixed(1)} s`, goal(median(visits), again)])
  }
  return rows
}

const goal = (figure, most) => `${most}: ${figure <= most ? 'met' : 'MISSED'}`

async function load(browser, url, { path, content, typed, signedIn = false }, signIn) {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: 412, height: 823, isMobile: true, hasTouch: true })
  if (signedIn) {
    await signIn(page, url)
    await page.goto(url)
    // A device that knows nothing of the person but their session.
    await page.evaluate(async () => {
      for (const key of Object.keys(localStorage))
        if (!key.endsWith('-auth-token')) localStorage.removeItem(key)
      for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
    })
    await page.goto('about:blank')
  }
  const line = await page.createCDPSession()
  await line.send('Network.enable')
  await line.send('Network.setCacheDisabled', { cacheDisabled: true })
  await line.send('Network.setBypassServiceWorker', { bypass: true })
  await line.send('Network.emulateNetworkConditions', LINE)
  await page.emulateCPUThrottling(SLOWER)
  let requests = 0
  page.on('request', () => {
    requests += 1
  })
  const since = performance.now()
  const soFar = () => (performance.now() - since) / 1000
  const come = page.goto(`${url}${path}`, { timeout: 60_000 })
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0, {
    polling: 100,
    timeout: 60_000,
  })
  const painted =
    (await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime)) / 1000
  if (typed) {
    await page.waitForFunction(
      (input) => document.querySelector(input)?.checkVisibility(),
      { polling: 100 },
      typed,
    )
    await page.evaluate((input) => document.querySelector(input).focus(), typed)
    await page.keyboard.type('somebody@potluck.example')
  } else await page.waitForFunction(isThere, { polling: 100, timeout: 60_000 }, content)
  const figures = { painted, reached: soFar(), requests }
  if (typed) {
    // Waits until the app has replaced the page's static first view.
    await page.waitForFunction(() => !document.querySelector('[data-first-sight]'), {
      polling: 100,
      timeout: 60_000,
    })
    const kept = await page.$eval(typed, ({ value }) => value)
    if (kept !== 'somebody@potluck.example') throw new Error(`${path} lost what was typed, and has "${kept}"`)
    figures.taken = soFar()
  }
  await come
  await context.close()
  return figures
}

/** Returns the seconds until the content on a device that keeps the app and what its person saw last. */
async function loadAgain(browser, url, { path, content }, signIn) {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: 412, height: 823, isMobile: true, hasTouch: true })
  await signIn(page, url)
  await page.goto(`${url}${path}`)
  await page.waitForFunction(isThere, { polling: 100 }, content)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.waitForFunction((key) => localStorage.getItem(key), { polling: 100 }, `last-sight:${path}`)
  // Until the worker has cached the page that is open.
  await page.waitForFunction((wanted) => caches.match(wanted).then(Boolean), { polling: 100 }, path)
  await page.goto('about:blank')
  const line = await page.createCDPSession()
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', LINE)
  await page.emulateCPUThrottling(SLOWER)
  // The page itself looks, since it answers questions from outside only between long tasks.
  await page.evaluateOnNewDocument(`{
    const isThere = ${isThere}
    const look = () => {
      if (document.body && isThere(${JSON.stringify(content)})) window.thereAt = performance.now()
      else requestAnimationFrame(look)
    }
    look()
  }`)
  await page.goto(`${url}${path}`, { timeout: 60_000 })
  const there = await page.waitForFunction(() => window.thereAt, { polling: 100, timeout: 60_000 })
  const seconds = (await there.jsonValue()) / 1000
  await context.close()
  return seconds
}

/** True once one of the elements is visible and has text. */
const isThere = (content) =>
  [...document.querySelectorAll(content)].some(
    (one) => one.checkVisibility() && one.textContent.trim() !== '',
  )
