// The service worker: caches the files of the app for use without a connection. The build puts the constants FILES,
// CATALOGS, LANGUAGES and BUILD in front.
// Pages always come from the site while it can be reached, so that nobody stays on an old version. Calls to the backend
// are left to the browser.
/** The app's page in English; other languages have theirs below their own folder. */
const PAGE = '/app.html'
const pageFor = (pathname) => {
  const language = LANGUAGES.find((one) => `${pathname}/`.startsWith(`/${one}/`))
  return language ? `/${language}${PAGE}` : PAGE
}
/** Files whose names do not change with their contents, so they are requested anew each time. */
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
