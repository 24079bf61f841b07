// The token a person of the bench sends with each request, signed like our server's.
import { createHmac } from 'node:crypto'

const known = new Map()

/** A token of a session in the data, valid for a day, signed once. */
export function accessToken({ id, email, name, sessionId }, secret) {
  const key = `${sessionId} ${secret}`
  if (!known.has(key)) known.set(key, sign(claimsOf({ id, email, name, sessionId }), secret))
  return known.get(key)
}

function claimsOf({ id, email, name, sessionId }) {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: 'http://localhost/auth/v1',
    sub: id,
    aud: 'authenticated',
    exp: now + 86_400,
    iat: now,
    email,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { name },
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: now }],
    session_id: sessionId,
    is_anonymous: false,
  }
}

function sign(claims, secret) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
