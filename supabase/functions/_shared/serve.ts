// Serves functions to browsers. Pages of any origin may call functions, because no function reads cookies.

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers':
    'authorization, x-client-info, apikey, content-type, prefer, range, x-retry-count',
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, OPTIONS',
  'Access-Control-Expose-Headers': 'content-range, preference-applied, retry-after',
}

type Handler = Deno.ServeHandler

/** Serves requests from pages of any origin, and answers preflight requests. */
export function serveAnyOrigin(handle: Handler): void {
  Deno.serve(async (request, info) => {
    const answer =
      request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await handle(request, info)
    for (const [name, value] of Object.entries(CORS)) answer.headers.set(name, value)
    return answer
  })
}

/**
 * Returns the response of a function whose secrets are not set. It has status 404, so that a stranger's call does not
 * count as an error of the server.
 */
export const notSetUp = (...secrets: string[]): Response =>
  Response.json({ error: `Not set up: ${secrets.join(' and ')}` }, { status: 404 })
