/** The id of the session that a token is of; empty when it is none. */
export function sessionIn(token: string): string {
  const claims = claimsOf(token) as { session_id?: unknown } | null
  return typeof claims?.session_id === 'string' ? claims.session_id : ''
}

/** What a token says, unchecked: whether it is true is for the server, once it is used. Null when it is none. */
export function claimsOf(token: string): unknown {
  try {
    const bytes = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  } catch {
    return null
  }
}
