// Calls of the Data API by people's own programs, at /api/<table> and /api/rpc/<function>, with one of their tokens:
// `Authorization: Bearer pot_…`.
import { addressOf, Refused } from '../_shared/database.ts'
import { serveAnyOrigin } from '../_shared/serve.ts'
import { callAsToken } from '../_shared/token-call.ts'

/** The request headers that are passed on to the Data API. */
const ASKED = ['content-type', 'prefer', 'range']
const ANSWERED = ['content-type', 'content-range', 'preference-applied', 'retry-after']

serveAnyOrigin(async (request, { remoteAddr }) => {
  const token = /^Bearer (pot_[0-9a-f]{64})$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (!token) return refuse(401, 'PT401', 'Send a token: Authorization: Bearer pot_…')
  const { pathname, search } = new URL(request.url)
  const call = pathname.slice('/api'.length)
  // PostgREST also accepts semicolons between parameters. Parse them in the same way, and send only the parsed ones, so
  // that every parameter that is sent has been checked.
  const asks = new URLSearchParams(search.replaceAll(';', '&'))
  const related = [...asks].some(
    ([name, value]) => name.includes('.') || (['select', 'order'].includes(name) && value.includes('(')),
  )
  if (related) return refuse(400, 'PGRST100', 'Related rows cannot be asked for with a token')
  try {
    const headers = new Headers()
    for (const name of ASKED) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    const body = request.method === 'GET' ? null : await request.arrayBuffer()
    const path = asks.size === 0 ? call : `${call}?${asks}`
    const answer = await callAsToken(token, request.method, path, addressOf(remoteAddr), body, headers)
    const said = new Headers({ 'cache-control': 'private, no-store' })
    for (const name of ANSWERED) {
      const value = answer.headers.get(name)
      if (value !== null) said.set(name, value)
    }
    // The Data API sees the key of a visitor, so it answers a forbidden call with 401 instead of 403.
    const status = answer.status === 401 ? 403 : answer.status
    return new Response(answer.body, { status, headers: said })
  } catch (error) {
    if (error instanceof Refused) return error.answer()
    throw error
  }
})

const refuse = (status: number, code: string, message: string) => Response.json({ code, message }, { status })
