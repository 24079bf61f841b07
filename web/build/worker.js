// The service worker: caches the files of the app for use without a connection. The build puts the constants FILES,
// CATALOGS, LANGUAGES, PAGES and BUILD in front.
// Pages come from the site if it answers soon, so that nobody stays on an old version. On a slow connection the pages of
// signed-in people come from the cache: meanwhile the browser looks for a new version, which the next page has.
// Calls to the backend are left to the browser.
/** The app's page in English; other languages have theirs below their own folder. */
const PAGE = '/app.html'
const pageFor = (pathname) => {
  const language = LANGUAGES.find((one) => `${pathname}/`.startsWith(`/${one}/`))
  return language ? `/${language}${PAGE}` : PAGE
}
const withoutLanguage = (pathname) => {
  const language = LANGUAGES.find((one) => pathname.startsWith(`/${one}/`))
  return language ? pathname.slice(language.length + 1) : pathname
}
/** Files whose names do not change with their contents, so they are requested anew each time. */
const LATEST = ['/config.json', '/start.js']
/** The script that each page of this build names. */
const APP = FILES.find((file) => /\/app-[^/]+\.js$/.test(file))
/** How long a page that is in the cache may take to arrive from the site, in ms. */
const SOON = 200
/** The ids of windows whose page came from the cache. Their other files come from there too. */
const cachedWindows = new Set()

addEventListener('install', (event) => event.waitUntil(keepAll()))
addEventListener('activate', (event) => event.waitUntil(forgetOthers()))

addEventListener('push', (event) => event.waitUntil(show(event.data.json())))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data))
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (PAGES.includes(withoutLanguage(pathname))) event.respondWith(page(pathname, event))
  else if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => kept(pageFor(pathname))))
  else if (LATEST.includes(pathname))
    event.respondWith(cachedWindows.has(event.clientId) ? kept(pathname, request) : latest(pathname, request))
  // A catalog is cached when it is first requested, so only languages that somebody reads are cached.
  else if (CATALOGS.includes(pathname))
    event.respondWith(caches.match(pathname).then((had) => had ?? latest(pathname, request)))
  else if (FILES.includes(pathname)) event.respondWith(kept(pathname, request))
})

async function keepAll() {
  const cache = await caches.open(BUILD)
  await cache.addAll([...FILES, ...LATEST, PAGE, ...LANGUAGES.map((language) => pageFor(`/${language}`))])
  await skipWaiting()
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== BUILD) await caches.delete(name)
  await clients.claim()
  // The pages that are open now are opened again.
  const cache = await caches.open(BUILD)
  for (const { url } of await clients.matchAll({ type: 'window' })) {
    const { pathname } = new URL(url)
    const path = withoutLanguage(pathname) === '/' ? '/home' : pathname
    if (PAGES.includes(withoutLanguage(path))) await cache.add(path).catch(() => undefined)
  }
}

/** A page of signed-in people: from the site, or from the cache if the site takes long or cannot be reached. */
async function page(pathname, event) {
  const cache = await caches.open(BUILD)
  const had = await cache.match(pathname)
  const answer = fetch(event.request).then(async (fresh) => {
    // A page of a newer build names files that this cache does not have.
    if (fresh.ok && (await fresh.clone().text()).includes(APP)) await cache.put(pathname, fresh.clone())
    return fresh
  })
  event.waitUntil(answer.catch(() => undefined))
  if (!had) return answer.catch(() => kept(pageFor(pathname)))
  const late = new Promise((pass) => setTimeout(pass, SOON))
  const first = await Promise.race([answer.catch(() => undefined), late])
  if (first) return first
  cachedWindows.add(event.resultingClientId || event.clientId)
  return had
}

/**
 * Shows a push as a notification, unless a page of the site has the focus and shows the message itself. Safari always
 * gets a notification: it revokes the permission of a site that shows none.
 */
async function show({ id, title, message, path, isTest }) {
  const pages = await clients.matchAll({ type: 'window' })
  const { endpoint = '' } = (await registration.pushManager.getSubscription()) ?? {}
  if (!isTest && pages.some((page) => page.focused) && !endpoint.includes('.push.apple.com/')) return
  const icon = '/icons/any-192.png'
  await registration.showNotification(title, { body: message, tag: id, icon, data: path })
}

/** Opens a path in a page of the site that is already open, or else in a new one. */
async function openPage(path) {
  const [page] = await clients.matchAll({ type: 'window' })
  // A worker cannot navigate a page that was opened before it took over: then a new page is opened.
  const led = await page?.navigate(path).catch(() => null)
  await (led ? led.focus() : clients.openWindow(path))
}

async function latest(pathname, request) {
  const answer = await fetch(request).catch(() => null)
  if (!answer?.ok) return kept(pathname, request)
  const cache = await caches.open(BUILD)
  await cache.put(pathname, answer.clone())
  return answer
}

/** The cached file, or the site's, because the browser may have cleared the cache. */
const kept = async (pathname, request = pathname) => (await caches.match(pathname)) ?? fetch(request)
