// The service worker: what the app is made of, kept for when there is no connection. The build puts FILES and BUILD in front.
// Pages always come from the site while it can be reached, so that nobody is held back on an old version. Nothing of the
// backend goes through here.
const PAGE = '/app.html'
/** Not named after their contents, so asked for anew each time. */
const LATEST = ['/config.json', '/color-scheme.js']

addEventListener('install', (event) => event.waitUntil(keepAll()))
addEventListener('activate', (event) => event.waitUntil(forgetOthers()))

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => kept(PAGE)))
  else if (LATEST.includes(pathname)) event.respondWith(latest(pathname, request))
  else if (FILES.includes(pathname)) event.respondWith(kept(pathname, request))
})

async function keepAll() {
  const cache = await caches.open(BUILD)
  await cache.addAll([...FILES, ...LATEST, PAGE])
  await skipWaiting()
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== BUILD) await caches.delete(name)
  await clients.claim()
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
