// Responses of functions to the internet: browsers may call them from any origin, because no function reads cookies.

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers':
    'authorization, x-client-info, apikey, content-type, prefer, range, x-retry-count',
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, OPTIONS',
  'Access-Control-Expose-Headers': 'content-range, preference-applied, retry-after',
}

type Handler = Deno.ServeHandler

/** Serves requests of pages from any origin, and answers preflights. */
export function serveAnyOrigin(handle: Handler): void {
  Deno.serve(async (request, info) => {
    const answer =
      request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await handle(request, info)
    for (const [name, value] of Object.entries(CORS)) answer.headers.set(name, value)
    return answer
  })
}

/**
 * The response of a function whose secrets are not set: 404, so that a stranger's call does not count as an error of
 * the server.
 */
export const notSetUp = (...secrets: string[]): Response =>
  Response.json({ error: `Not set up: ${secrets.join(' and ')}` }, { status: 404 })
