// An Edge Function that draws pages with their data, for visitors: GET <path and query> responds with the markup. The
// build bundles it into one file, which the server runs once per language (server/src/spa/drawing.ts).
const language = Deno.env.get('LANGUAGE')
if (language) globalThis.LANGUAGE = language
// Imported only now, because modules translate their texts into LANGUAGE when they are loaded.
const { drawWithData } = await import('./draw-with-data.tsx')

/** The most requests that wait for their turn; others are refused with 503, and get the page without data. */
const MOST_WAITING = 20
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

Deno.serve(async (request, { remoteAddr }) => {
  if (waiting >= MOST_WAITING) return new Response('Too many pages are waiting', { status: 503 })
  waiting += 1
  const { pathname, search } = new URL(request.url)
  // One page at a time, because the app has only one configuration and one session.
  const from = 'hostname' in remoteAddr ? remoteAddr.hostname : 'unknown'
  const drawn = last.then(() => drawWithData(pathname + search, from))
  last = drawn.catch(() => undefined).finally(() => (waiting -= 1))
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'public, s-maxage=2' }
  return drawn.then(
    (markup) => new Response(markup, { headers }),
    (problem: unknown) => new Response(String(problem), { status: 500 }),
  )
})
