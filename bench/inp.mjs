// Interaction to Next Paint (INP) on a phone with a slow processor: each story is one visit, whose INP is its slowest
// interaction from the press until the next frame, as web-vitals counts it for visits of fewer than 50 interactions.
const SLOWER = 4
const ROUNDS = 5
const GOAL = 100
/** How long a person looks before the next interaction, in ms. */
const LOOK = 2000

/** What people do in each story: functions of the page, each one interaction that shows what the next one needs. */
const STORIES = [
  {
    name: 'find a plan',
    path: '/plans',
    steps: [
      typing('main input[type=search], main input[role=searchbox], main input', 'apple'),
      pressing('main h3 a'),
    ],
  },
  {
    name: 'share a plan',
    path: '/create',
    signedIn: true,
    steps: [
      pressing('main a[href*="category="]'),
      pressing('main ul button, main article button, main li button'),
    ],
  },
  {
    name: 'look after plans',
    path: '/my-subscriptions',
    signedIn: true,
    steps: [
      pressing('[role=tab]:nth-of-type(2)'),
      pressing('[role=tab]:nth-of-type(1)'),
      pressing('main article a[href*="/manage-shared/"]'),
    ],
  },
]

function pressing(selector) {
  return (page) => page.locator(selector).click()
}

function typing(selector, text) {
  return async (page) => {
    await pressing(selector)(page)
    await page.keyboard.type(text, { delay: 100 })
  }
}

/** Returns rows of each story's median INP, and of the 75th percentile over all visits. */
export async function measureInteractions(browser, url, signIn) {
  const rows = []
  const all = []
  for (const story of STORIES) {
    const visits = []
    for (let round = 1; round <= ROUNDS; round += 1) visits.push(await visit(browser, url, story, signIn))
    console.log(`  INP of "${story.name}": ${visits.join(', ')} ms`)
    all.push(...visits)
    rows.push([story.path, `INP, ${story.name}`, `${percentile(visits, 0.5)} ms`, ''])
  }
  const reached = percentile(all, 0.75)
  return [
    ...rows,
    ['three stories', 'INP, p75', `${reached} ms`, `${GOAL}: ${reached < GOAL ? 'met' : 'MISSED'}`],
  ]
}

async function visit(browser, url, { path, steps, signedIn = false }, signIn) {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport({ width: 390, height: 823, isMobile: true, hasTouch: true })
  if (signedIn) await signIn(page, url)
  await page.evaluateOnNewDocument(() => {
    window.interactions = {}
    new PerformanceObserver((list) => {
      for (const { interactionId: id, duration } of list.getEntries())
        if (id) window.interactions[id] = Math.max(window.interactions[id] ?? 0, duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  })
  await page.emulateCPUThrottling(SLOWER)
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle2', timeout: 60_000 })
  await page.waitForFunction(() => !document.querySelector('[data-first-sight]'))
  for (const step of steps) {
    await step(page)
    await new Promise((looked) => setTimeout(looked, LOOK))
  }
  const slowest = await page.evaluate(() => Math.max(0, ...Object.values(window.interactions)))
  await context.close()
  return slowest
}

const percentile = (values, part) =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1]
