// Lighthouse on a phone: a visitor's landing page, the marketplace and one of its plans with demo data, and My
// Subscriptions of a person with thirty plans. Also measures the time from the landing page into the app.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import puppeteer from 'puppeteer-core'
import { ensureBrowser } from '../scripts/browser.mjs'
import { inFolder } from './cluster.mjs'
import { fillPotluck, signUp, startPotluck } from './contestants/potluck.mjs'
import { median } from './figures.mjs'
import { measureInteractions } from './inp.mjs'
import { table } from './report.mjs'
import { measureSlow } from './slow-line.mjs'

const TITLE = '## Pages in Lighthouse'
const ROUNDS = 5
const PLANS = 30
const PAGES = [
  { path: '/', goals: { performance: 98, accessibility: 100, 'best-practices': 95, seo: 95 } },
  { path: '/my-subscriptions', goals: { performance: 85, accessibility: 100 }, signedIn: true },
]
const MARKET = { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 }
const TIMES = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
]
const PERSON = { email: 'thirty@potluck.example', password: 'Thirty-plans-1!' }

/** Prints the scores with their goals and writes them to results.md; each figure is the median of its rounds. */
export const measure = () => inFolder('web', measureIn)

async function measureIn(folder) {
  let server = await startPotluck({ folder })
  let browser
  try {
    await signUp(server, PERSON)
    await server.stop()
    await fillPotluck({ folder }, sharePlans)
    server = await startPotluck({ folder })
    browser = await launch()
    const rows = await measureMarket(browser)
    for (const wanted of PAGES) rows.push(...(await measurePage(browser, server.url, wanted)))
    rows.push(...(await measureSlow(browser, server.url, signIn)))
    rows.push(...(await measureInteractions(browser, server.url, signIn)))
    rows.push(['/ to /sign-in', 'click to usable form', await measureClick(browser, server.url), ''])
    keep(table([['page', 'what', 'median', 'goal'], ...rows]))
  } finally {
    await browser?.close()
    await server.stop()
  }
}

/** Measures the pages that search engines and shared links lead to. */
const measureMarket = (browser) => inFolder('market', (folder) => measureMarketIn(folder, browser))

async function measureMarketIn(folder, browser) {
  const server = await startPotluck({ folder, demo: true })
  try {
    const page = await browser.newPage()
    await page.goto(`${server.url}/plans`)
    const link = await page.waitForSelector('main a[href^="/plans/"]')
    const path = await link.evaluate((element) => element.getAttribute('href'))
    await page.close()
    return [
      ...(await measurePage(browser, server.url, { path: '/plans', goals: MARKET })),
      ...(await measurePage(browser, server.url, { path, shown: '/plans/{id}', goals: MARKET })),
    ]
  } finally {
    await server.stop()
  }
}

// Creates plans: half of the person's plans are their own and half joined, and there are some more to join. The server
// itself writes them, so hourly limits do not apply.
async function sharePlans(db) {
  const [person] = await db.query('select id from auth.users')
  const [other, third] = await db.query(
    "insert into auth.users (email, email_confirmed_at) values ('owner@potluck.example', now()), ('third@potluck.example', now()) returning id",
  )
  for (const owner of [person.id, other.id, third.id])
    await db.query(
      `insert into public.shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment)
       select $1, id, 2, current_date + 20 from (
         select distinct on (provider ->> 'name') plan ->> 'id' as id
         from public.service_provider_data as current, jsonb_array_elements(current.data) as provider,
           jsonb_array_elements(provider -> 'plans') as plan
         where current.is_current and (plan ->> 'maxMembers')::integer >= 2
         order by provider ->> 'name' limit $2
       ) as chosen`,
      [owner, String(PLANS / 2)],
    )
  await db.query(
    'select private.add_member(id, $1, false) from public.shared_subscriptions where owner_id = $2',
    [person.id, other.id],
  )
  const [{ n }] = await db.query(
    'select count(*)::int as n from public.subscription_members where user_id = $1',
    [person.id],
  )
  if (n !== PLANS) throw new Error(`The person has ${n} plans instead of ${PLANS}`)
}

async function launch() {
  return puppeteer.launch({
    executablePath: (await ensureBrowser()).BROWSER_PATH,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

// The other sections of the page belong to `npm run bench`, which in turn keeps this section.
function keep(figures) {
  const section = `${TITLE}\n\n\`npm run bench -- web\`: Lighthouse 12 as a phone, ${ROUNDS} rounds, all that a page loads in its place; on a slow line 400 kbit/s\nwith 400 ms and a processor slowed down four times, nothing kept; the click on "Share a Subscription" with such a processor and nothing of the app loaded before. ${describeLoad()}\n\n${figures}\n`
  console.log(`\n${section}`)
  const file = join(import.meta.dirname, 'results.md')
  const [before, after = ''] = readFileSync(file, 'utf8').split(TITLE)
  const next = after.indexOf('\n## ')
  writeFileSync(file, `${before.trimEnd()}\n\n${section}${next < 0 ? '' : after.slice(next)}`)
}

const describeLoad = () => `Load average at the end: ${loadavg()[0].toFixed(1)} on ${cpus().length} cores.`

async function measurePage(browser, url, { path, shown = path, goals, signedIn = false }) {
  const results = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    if (signedIn) await signIn(page, url)
    const { lhr } = await lighthouse(
      `${url}${path}`,
      { logLevel: 'error', onlyCategories: Object.keys(goals), disableStorageReset: signedIn },
      undefined,
      page,
    )
    console.log(
      `  ${shown}, round ${round}: ${Object.keys(goals)
        .map((id) => score(lhr, id))
        .join(', ')}`,
    )
    for (const audit of lostPoints(lhr, goals)) console.log(`    ${audit}`)
    results.push(lhr)
    await context.close()
  }
  const scores = Object.entries(goals).map(([id, goal]) => {
    const reached = median(results.map((lhr) => score(lhr, id)))
    return [shown, id, String(reached), reached >= goal ? `${goal}: met` : `${goal}: MISSED`]
  })
  const times = TIMES.map((id) => {
    const values = results.map((lhr) => lhr.audits[id].numericValue ?? 0)
    const figure =
      id === 'cumulative-layout-shift' ? median(values).toFixed(3) : `${Math.round(median(values))} ms`
    return [shown, id, figure, '']
  })
  return [...scores, ...times]
}

/** Returns the time from a click on the landing page until an address typed into the app's form stays there. */
async function measureClick(browser, url) {
  const times = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    await page.setViewport({ width: 412, height: 823, isMobile: true, hasTouch: true })
    await page.emulateCPUThrottling(4)
    await page.goto(url, { waitUntil: 'networkidle0' })
    const since = performance.now()
    await page.locator('::-p-aria(Share a Subscription)').click()
    await page.locator('::-p-aria(Email)').fill(PERSON.email)
    times.push(performance.now() - since)
    await context.close()
  }
  return `${Math.round(median(times))} ms`
}

async function signIn(page, url) {
  await page.goto(`${url}/signin`)
  await page.waitForFunction(() => !document.querySelector('[data-first-sight]'))
  await page.locator('::-p-aria(Email)').fill(PERSON.email)
  await page.locator('input[type=password]').fill(PERSON.password)
  await page.locator('form button[type=submit]').click()
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.endsWith('-auth-token')))
}

/** Returns the audits that keep a category other than performance below 100. */
function lostPoints(lhr, goals) {
  return Object.keys(goals)
    .filter((id) => id !== 'performance')
    .flatMap((id) => lhr.categories[id].auditRefs)
    .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
    .map(({ id }) => `${id}: ${lhr.audits[id].title}`)
}

const score = (lhr, id) => Math.round((lhr.categories[id].score ?? 0) * 100)
