// Requests of the bench's people, each with a token as our server would have signed it.
import { createHmac } from 'node:crypto'

const numbered = (block) => (n) => `00000000-0000-4000-${block}-${String(n).padStart(12, '0')}`
export const personId = numbered('8000')
export const conversationId = numbered('9000')
export const sessionId = numbered('a000')

/**
 * Turns a call into the request that a browser sends to a server with this public key and JWT secret. If the call has a
 * person, that person is signed in.
 */
export function toRequest({ person, domain, method, path, headers, body }, { apikey, secret }) {
  return {
    method,
    path: encodeURI(path),
    headers: {
      apikey,
      ...(person && { authorization: `Bearer ${tokenOf(person, secret, domain)}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
  }
}

const known = new Map()

/**
 * Returns a token for the session that the person has had since the database was filled. The token is valid for a day
 * and signed only once.
 */
export function tokenOf(person, secret, domain = 'town.example') {
  const key = `${person} ${secret}`
  if (!known.has(key)) known.set(key, sign(claimsOf(person, domain), secret))
  return known.get(key)
}

function claimsOf(person, domain) {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: 'http://localhost/auth/v1',
    sub: personId(person),
    aud: 'authenticated',
    exp: now + 86_400,
    iat: now,
    email: `person${person}@${domain}`,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { name: `Person ${person}` },
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: now }],
    session_id: sessionId(person),
    is_anonymous: false,
  }
}

function sign(claims, secret) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
