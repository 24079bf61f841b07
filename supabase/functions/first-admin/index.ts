// Creates the first super-admin of a new site. At each start, the server requests a one-time URL (POST open, with the
// service key) and prints it. The operator who opens the URL creates a confirmed account, or uses the account with
// which they are signed in.
import { callDatabase, Refused } from '../_shared/database.ts'
import { serveAnyOrigin } from '../_shared/serve.ts'

serveAnyOrigin(async (request) => {
  if (request.method !== 'POST') return failure(405, 'PT405', 'Call it with POST')
  const authorization = request.headers.get('Authorization') ?? ''
  try {
    if (new URL(request.url).pathname.endsWith('/open')) return await open(authorization)
    const { secret, name, email, password } = Object(await request.json().catch(() => null))
    await callDatabase('require_first_admin_address', { p_secret: String(secret) })
    const caller = await askAuth('GET', 'user', undefined, authorization)
    if (caller.ok) {
      await makeFirstAdmin(secret, (await caller.json()).id)
      return Response.json({}, { headers: HEADERS })
    }
    // The auth service would treat an empty password as no password.
    if (!password) return failure(422, 'weak_password', 'Please choose a password')
    const made = await askAuth('POST', 'admin/users', { email, user_metadata: { name } })
    if (!made.ok) return handOn(made)
    const { id } = await made.json()
    // The auth service checks a password against the site's rules only when an account is changed, not when created.
    // The address is confirmed last: until then no mail says that the password was changed, although Supabase's own auth
    // service creates every account with a random one.
    for (const change of [{ password }, { email_confirm: true }]) {
      const changed = await askAuth('PUT', `admin/users/${id}`, change)
      if (!changed.ok) {
        await askAuth('DELETE', `admin/users/${id}`)
        return handOn(changed)
      }
    }
    await makeFirstAdmin(secret, id)
    return Response.json({}, { headers: HEADERS })
  } catch (error) {
    if (error instanceof Refused) return error.answer(HEADERS)
    throw error
  }
})

const HEADERS = { 'Cache-Control': 'no-store' }

async function open(authorization: string): Promise<Response> {
  const secret = await callDatabase('open_first_admin_address', {}, authorization)
  const site = Deno.env.get('SITE_URL') ?? ''
  return Response.json(
    secret ? { notice: `The first administrator signs up at ${site}/first-admin#token=${secret}` } : {},
    { headers: HEADERS },
  )
}

const makeFirstAdmin = (secret: unknown, id: string) =>
  callDatabase('make_first_admin', { p_secret: String(secret), p_user_id: id })

/** Calls the auth service with `authorization` or, if that is not given, with the service key. */
function askAuth(method: string, path: string, body?: unknown, authorization?: string): Promise<Response> {
  const key = Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? ''
  return fetch(`${Deno.env.get('SUPABASE_URL')}/auth/v1/${path}`, {
    method,
    headers: {
      apikey: key,
      Authorization: authorization ?? `Bearer ${key}`,
      'Content-Type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Returns a refusal by the auth service in the form of a refusal by the database. */
async function handOn(answer: Response): Promise<Response> {
  const { error_code, msg } = await answer.json()
  return failure(answer.status, error_code, msg)
}

const failure = (status: number, code: string, message: string) =>
  Response.json({ code, message, details: null, hint: null }, { status, headers: HEADERS })
