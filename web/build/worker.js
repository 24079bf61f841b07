// The service worker: what the app is made of, kept for when there is no connection. The build puts FILES, CATALOGS, LANGUAGES and
// BUILD in front.
// Pages always come from the site while it can be reached, so that nobody is held back on an old version. Nothing of the
// backend goes through here.
/** Of the app, in the language that addresses begin with. */
const PAGE = '/app.html'
const pageFor = (pathname) => {
  const language = LANGUAGES.find((one) => `${pathname}/`.startsWith(`/${one}/`))
  return language ? `/${language}${PAGE}` : PAGE
}
/** Not named after their contents, so asked for anew each time. */
const LATEST = ['/config.json', '/start.js']

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
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => kept(pageFor(pathname))))
  else if (LATEST.includes(pathname)) event.respondWith(latest(pathname, request))
  // Of the languages only those are kept that somebody reads.
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
}

/** People with the page open see it there. Safari revokes the permission of a site that shows nothing. */
async function show({ id, title, message, path, isTest }) {
  const pages = await clients.matchAll({ type: 'window' })
  const { endpoint = '' } = (await registration.pushManager.getSubscription()) ?? {}
  if (!isTest && pages.some((page) => page.focused) && !endpoint.includes('.push.apple.com/')) return
  const icon = '/icons/any-192.png'
  await registration.showNotification(title, { body: message, tag: id, icon, data: path })
}

/** In a page that is open already, if any. */
async function openPage(path) {
  const [page] = await clients.matchAll({ type: 'window' })
  // One that a version before this worker opened cannot be led elsewhere.
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

/** A browser may have cleared away what was kept. */
const kept = async (pathname, request = pathname) => (await caches.match(pathname)) ?? fetch(request)
