/** The session id in a token; empty if there is none. */
export function sessionIn(token: string): string {
  const claims = claimsOf(token) as { session_id?: unknown } | null
  return typeof claims?.session_id === 'string' ? claims.session_id : ''
}

/** A token's claims, unverified: the server verifies them when the token is used. Null if it is not a token. */
export function claimsOf(token: string): unknown {
  try {
    const bytes = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  } catch {
    return null
  }
}
